import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from './api/problem'
import { useQuery } from './api/query'
import { ahead, signedOut } from './api/request'
import { session, SessionContext, signOut, type Right, type Session } from './api/session'
import { followLinks, go, returnToPlace, usePlace, withQuery } from './route'
import SignIn from './screens/sign-in'
import { Empty, Loading } from './ui/empty'
import { Removals } from './removal'
import { belong, waits } from './removal/waiting'
import { lazy } from './ui/lazy'
import { ProblemBox } from './ui/problem'
import { tell, Toasts } from './ui/toast'
import { keep, kept, Uploads } from './upload'

const Audit = lazy(() => import('./screens/audit'))
const Overview = lazy(() => import('./screens/overview'))
const Captures = lazy(() => import('./screens/captures'))
const capture = () => import('./screens/capture')
const Capture = lazy(capture)
const Athletes = lazy(() => import('./screens/athletes'))
const Athlete = lazy(() => import('./screens/athletes/one'))
const Compare = lazy(() => import('./screens/compare'))
const Exports = lazy(() => import('./screens/exports'))
const Export = lazy(() => import('./screens/exports/one'))
const Report = lazy(() => import('./screens/report'))
const Shared = lazy(() => import('./screens/shared'))
const Tokens = lazy(() => import('./screens/tokens'))
const Webhooks = lazy(() => import('./screens/webhooks'))
const Webhook = lazy(() => import('./screens/webhooks/one'))

// Of an address of a capture its code, the scene's and what is told of it are fetched
// while it is still asked who is signed in: none of it waits for another.
const firstCapture = /^\/captures\/([^/]+)$/.exec(location.pathname)?.[1]
if (firstCapture !== undefined) {
  const path = { captureId: decoded(firstCapture) }
  ahead('/captures/{captureId}/motion', { path })
  ahead('/captures/{captureId}', { path })
  for (const code of [capture(), import('./screens/capture/scene/view')]) code.catch(() => undefined) // it is told where it is needed
}

/** What the navigation offers, to whom. What is within another place is reached from there alone. */
const places: readonly { path: string; name: string; right: Right; within?: string }[] = [
  { path: '/overview', name: 'Overview', right: 'captures:read' },
  { path: '/captures', name: 'Captures', right: 'captures:read' },
  { path: '/compare', name: 'Compare', right: 'captures:read', within: '/captures' },
  { path: '/report', name: 'Report', right: 'captures:read', within: '/captures' },
  { path: '/athletes', name: 'Athletes', right: 'athletes:read' },
  { path: '/exports', name: 'Exports', right: 'exports:read' },
  { path: '/tokens', name: 'Tokens', right: 'admin' },
  { path: '/webhooks', name: 'Webhooks', right: 'admin' },
  { path: '/audit', name: 'Audit', right: 'admin' },
]

/** App is the whole console. */
export function App() {
  const { path, query } = usePlace()
  const [who, setWho] = useState<Session | null>(null)
  const [ended, setEnded] = useState<Problem | null>(null)
  const shared = path === '/shared'
  const asked = useQuery(who || shared ? null : 'session', session)

  useEffect(() => followLinks(document), [])
  useEffect(returnToPlace, [])
  useEffect(() => {
    const end = (e: Event) => {
      setWho((before) => {
        if (before) setEnded((e as CustomEvent<Problem>).detail)
        return null
      })
    }
    addEventListener(signedOut, end)
    return () => removeEventListener(signedOut, end)
  }, [])
  useEffect(() => {
    if (asked.data) setWho(asked.data)
  }, [asked.data])

  const out = !who && asked.problem?.status === 401
  useEffect(() => {
    if (out && path !== '/sign-in') {
      go(withQuery('/sign-in', { to: path === '/' ? '' : path + location.search }), { replace: true })
    }
  }, [out, path])

  if (shared) return <Shared />
  if (!who) {
    if (out) {
      return (
        <SignIn
          ended={ended}
          to={inside(query.get('to'))}
          onSignedIn={(s) => {
            setEnded(null)
            setWho(s)
            go(inside(query.get('to')), { replace: true })
          }}
        />
      )
    }
    return (
      <main class="alone">
        {asked.problem ? (
          <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />
        ) : (
          <Loading what="Opening Kinebase" />
        )}
      </main>
    )
  }
  const leave = async () => {
    if (kept(who.organization.id)?.busy && !confirm('Some files have not been sent. Sign out and send no more?')) return
    if (waits() && !confirm('Some deletions still wait. Sign out and delete nothing more?')) return
    let elsewhere: string | null = null
    try {
      elsewhere = await signOut()
    } catch (thrown) {
      return tell(`You are still signed in. ${Problem.from(thrown).message}`)
    }
    keep(null, '')
    belong('')
    setEnded(null)
    setWho(null)
    asked.refresh()
    if (elsewhere) location.assign(elsewhere)
    else go('/sign-in')
  }
  return (
    <SessionContext.Provider value={who}>
      <Frame who={who} path={path} onSignOut={leave}>
        <Screen key={path} path={path} who={who} />
      </Frame>
    </SessionContext.Provider>
  )
}

/** inside is a path of this console, whatever an address says. */
function inside(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : '/captures'
}

function Frame({
  who,
  path,
  onSignOut,
  children,
}: {
  who: Session
  path: string
  onSignOut: () => Promise<void>
  children: ComponentChildren
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of this page */}
      <a
        class="skip"
        href="#content"
        onClick={(e) => {
          e.preventDefault()
          document.getElementById('content')?.focus()
        }}
      >
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/captures">
          Kinebase
        </a>
        <nav aria-label="Main">
          {places
            .filter((p) => !p.within && who.token.scopes.includes(p.right))
            .map((p) => (
              <a key={p.path} href={p.path} aria-current={isAt(path, p.path) ? 'page' : undefined}>
                {p.name}
              </a>
            ))}
        </nav>
        <div class="who">
          <span
            dir="auto"
            title={who.token.kind ? `Signed in as ${who.token.name}` : `Signed in with the token “${who.token.name}”`}
          >
            {who.organization.name}
          </span>
          <button type="button" class="button quiet" onClick={() => void onSignOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Toasts /> {/* before what tells something as it comes */}
      <Uploads />
      <Removals organization={who.organization.id} />
    </>
  )
}

/** isAt says whether a path is a place of the navigation, or one within it. */
function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`) || places.some((p) => p.path === path && p.within === place)
}

function Screen({ path, who }: { path: string; who: Session }) {
  const [, place = '', id] = path.split('/')
  const needs = places.find((p) => p.path === `/${place}`)
  useEffect(() => {
    document.title = needs ? `${needs.name} · Kinebase` : 'Kinebase'
  }, [needs])
  // Who reads with a keyboard or by ear begins at the new screen, unless it has taken the focus itself.
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    if (path === '/' || path === '/sign-in') go('/captures', { replace: true })
  }, [path])
  if (path === '/' || path === '/sign-in') return null
  if (!needs)
    return (
      <Empty title="There is no such page">
        <p>
          <a href="/captures">To the captures</a>
        </p>
      </Empty>
    )
  if (!who.token.scopes.includes(needs.right)) {
    return (
      <Empty title="Not allowed with this token">
        <p>This page needs the scope {needs.right}. Sign in with a token that has it.</p>
      </Empty>
    )
  }
  const one = id === undefined ? undefined : decoded(id)
  switch (place) {
    case 'overview':
      return <Overview />
    case 'captures':
      return one === undefined ? <Captures /> : <Capture id={one} />
    case 'compare':
      return <Compare />
    case 'report':
      return <Report />
    case 'athletes':
      return one === undefined ? <Athletes /> : <Athlete id={one} />
    case 'exports':
      return one === undefined ? <Exports /> : <Export id={one} />
    case 'audit':
      return <Audit />
    case 'webhooks':
      return one === undefined ? <Webhooks /> : <Webhook id={one} />
    default:
      return <Tokens />
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
