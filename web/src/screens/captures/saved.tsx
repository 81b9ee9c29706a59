// Filters that somebody wants again, under a name.
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { tell } from '../../ui/toast'
import { longest, most, place, savedOf, withSaved, type Saved } from './kept'

/**
 * SavedFilters leads to those that are kept. current is the query of what is filtered now, empty where nothing is.
 */
export function SavedFilters({ organization, current }: { organization: string; current: string }) {
  const [all, setAll] = useState(() => savedOf(organization))
  const [asking, setAsking] = useState(false)
  const [name, setName] = useState('')
  useEffect(() => {
    // The browser tells what another tab has changed; the key is null where it has cleared all.
    const changed = (e: StorageEvent) => {
      if (e.key === null || e.key === place(organization)) setAll(savedOf(organization))
    }
    setAll(savedOf(organization)) // it may have been changed before this tab listened
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  }, [organization])
  /** keep changes what is kept now, which another tab may have changed since this one read it. */
  const keep = (change: (now: Saved[]) => Saved[]) => {
    const next = change(savedOf(organization))
    try {
      if (next.length === 0) localStorage.removeItem(place(organization))
      else localStorage.setItem(place(organization), JSON.stringify(next))
    } catch {
      return tell('This browser keeps nothing for this page.')
    }
    setAll(next)
  }
  const has = (list: Saved[]) => list.some((s) => s.name.toLowerCase() === name.trim().toLowerCase())
  const refused = (list: Saved[]) => name.trim() === '' || (list.length >= most && !has(list))
  const there = has(all)
  if (all.length === 0 && !current) return null
  return (
    <div class="row saved">
      {all.length > 0 && (
        <ul aria-label="Saved filters">
          {all.map((s) => (
            <li key={s.name}>
              <a href={`/captures?${s.query}`} aria-current={s.query === current ? 'true' : undefined} dir="auto">
                {s.name}
              </a>
              <button
                type="button"
                class="close"
                aria-label={`Remove the saved filter ${s.name}`}
                onClick={() => {
                  keep((now) => now.filter((other) => other.name !== s.name))
                  document.getElementById('content')?.focus({ preventScroll: true })
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {current && !all.some((s) => s.query === current) && (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          Save these filters
        </Button>
      )}
      {asking && (
        <Dialog title="Save these filters" onClose={() => setAsking(false)}>
          <form
            class="stack"
            onSubmit={(e) => {
              e.preventDefault()
              const now = savedOf(organization)
              if (refused(now)) return setAll(now)
              keep((now) => withSaved(now, { name: name.trim(), query: current }))
              setAsking(false)
              setName('')
            }}
          >
            <Field
              label="Name"
              hint="Kept in this browser, for this organization. The address of the list can be sent to others."
              value={name}
              maxLength={longest}
              onInput={(e) => setName(e.currentTarget.value)}
            />
            {there && <p class="notice small">The filters of this name are replaced.</p>}
            <footer class="row end">
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button kind="main" type="submit" disabled={refused(all)}>
                Save
              </Button>
            </footer>
          </form>
        </Dialog>
      )}
    </div>
  )
}
