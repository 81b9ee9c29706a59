import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../api/problem'
import { Loading } from './empty'
import { ProblemBox } from './problem'

/** lazy is a component whose code comes when it is first shown; meanwhile stands in its place until then. */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  meanwhile: ComponentChildren = <Loading />,
): ComponentType<P> {
  let here: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [Component, set] = useState<{ is: ComponentType<P> } | null>(here ? { is: here } : null)
    const [problem, fail] = useState<Problem | null>(null)
    const [round, again] = useState(0)
    useEffect(() => {
      if (Component) return
      let gone = false
      fail(null)
      load().then(
        (m) => {
          here = m.default
          if (!gone) set({ is: m.default })
        },
        () => {
          if (!gone)
            fail(
              new Problem(
                0,
                'Offline',
                'This screen could not be loaded. The server may have been updated: reload the page if it does not come.',
              ),
            )
        },
      )
      return () => {
        gone = true
      }
    }, [round])
    if (Component) return <Component.is {...props} />
    if (problem) return <ProblemBox problem={problem} onRetry={() => again((n) => n + 1)} />
    return <>{meanwhile}</>
  }
}
