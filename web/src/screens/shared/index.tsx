// What somebody sees who comes by a link and has no account.

import { useEffect, useMemo } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { fetched, visit, type Good } from '../../api/request'
import { SessionContext, type Session } from '../../api/session'
import { go, stayWithin, usePlace } from '../../route'
import { Empty, Loading } from '../../ui/empty'
import { lazy } from '../../ui/lazy'
import { ProblemBox } from '../../ui/problem'
import { time } from '../../ui/text'

const Capture = lazy(() => import('../capture'))
const Compare = lazy(() => import('../compare'))
const Report = lazy(() => import('../report'))

type Shown = Good<'/shared'>

/** nobody is the session of a visitor, who may read what is shown and nothing else. */
const nobody: Session = {
  organization: { id: '', name: '' },
  token: { id: '', name: '', scopes: ['captures:read'], expires_at: null },
  limits: { max_upload_bytes: 0 },
  version: '',
}

/** placed is the query of a view; a comparison that names no captures has all of them, and progress its athlete. */
function placed(shown: Shown): string {
  const query = new URLSearchParams(shown.view.startsWith('?') ? shown.view.slice(1) : '')
  if (shown.kind === 'progress') query.set('athlete', '1')
  else if (shown.kind !== 'capture' && !query.has('capture'))
    for (const c of shown.captures) query.append('capture', c.session_id)
  return query.toString()
}

/** Shared is the page of a link. The secret stands behind # in the address, where no server and no log sees it. */
export default function Shared() {
  const secret = useMemo(() => {
    const hash = location.hash
    visit(hash.slice(1))
    stayWithin((to) => {
      const at = to.indexOf('?')
      return `/shared${at < 0 ? '' : to.slice(at)}${hash}`
    })
    return hash.slice(1)
  }, [])
  const { query } = usePlace()
  const asked = useQuery('shared', async (signal) => (await (await fetched('/v1/shared', { signal })).json()) as Shown)
  const shown = asked.data
  const begun = query.size > 0
  useEffect(() => {
    if (shown && !begun && placed(shown)) go(`/shared?${placed(shown)}`, { replace: true })
  }, [shown, begun])
  useEffect(() => {
    document.title = 'Kinebase'
    // A page that is sent on tells nobody where it is from.
    const mark = document.head.appendChild(
      Object.assign(document.createElement('meta'), { name: 'robots', content: 'noindex' }),
    )
    return () => mark.remove()
  }, [])
  if (asked.problem?.status === 404 || !secret)
    return (
      <main class="alone">
        <Empty whole title="There is nothing at this link">
          <p>It has ended, was taken back, or is not complete. Ask whoever sent it for another one.</p>
        </Empty>
      </main>
    )
  if (!shown)
    return (
      <main class="alone">
        {asked.problem ? (
          <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />
        ) : (
          <Loading what="Opening what is shared" />
        )}
      </main>
    )
  if (!begun && placed(shown)) return null
  return (
    <SessionContext.Provider value={nobody}>
      <header class="top">
        <span class="brand">Kinebase</span>
        <span class="quiet small">Shared with you to look at until {time(shown.expires_at)}</span>
      </header>
      <main id="content" tabIndex={-1}>
        {shown.kind === 'comparison' ? (
          <Compare />
        ) : shown.kind === 'capture' ? (
          <Capture id="1" />
        ) : (
          <Report name={shown.progress?.athlete_name ?? null} />
        )}
      </main>
    </SessionContext.Provider>
  )
}
