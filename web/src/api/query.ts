import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from './problem'

/** Query is what was asked for, as far as it is known. */
export interface Query<T> {
  /** The last good answer; it stays while a newer one is awaited or cannot be had. */
  data: T | undefined
  /** Why the last try gave nothing; null when it did. */
  problem: Problem | null
  /** A try is under way. */
  loading: boolean
  /** When it is tried again by itself, in ms since 1970; null when it is not. */
  retryAt: number | null
  refresh: () => void
}

const firstWait = 2_000
const longestWait = 30_000

interface State<T> {
  key: string | null
  data: T | undefined
  problem: Problem | null
  loading: boolean
  retryAt: number | null
}

const nothing = { key: null, data: undefined, problem: null, loading: false, retryAt: null }

/**
 * useQuery asks, again whenever key changes, and every `every` milliseconds while
 * the page is looked at (0: never). What fails for a passing reason is tried again,
 * after the time that the server names. The answer of an old key is never shown
 * under a new one unless keep is set.
 */
export function useQuery<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>, options: { every?: number; keep?: boolean } = {}): Query<T> {
  const [state, set] = useState<State<T>>(nothing)
  const asking = useRef(ask)
  asking.current = ask
  const [round, again] = useState(0)
  const failures = useRef(0)
  const every = options.every ?? 0

  useEffect(() => {
    if (key === null) {
      set(nothing)
      return
    }
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    set((s) => ({ ...s, key, data: s.key === key || options.keep ? s.data : undefined, loading: true }))
    asking.current(stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return
        failures.current = 0
        set((s) => (s.data === data && s.problem === null && !s.loading ? s : { key, data, problem: null, loading: false, retryAt: null }))
      },
      (thrown: unknown) => {
        if (stop.signal.aborted) return
        const problem = Problem.of(thrown)
        let retryAt: number | null = null
        if (problem.passing) {
          const wait = problem.retryAfter !== null ? problem.retryAfter * 1000 : Math.min(longestWait, firstWait * 2 ** failures.current++)
          retryAt = Date.now() + wait
          timer = setTimeout(() => again((n) => n + 1), wait)
        }
        set((s) => ({ ...s, key, problem, loading: false, retryAt }))
      },
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [key, round])

  // A hidden page asks for nothing; one that is seen again asks at once.
  useEffect(() => {
    if (every === 0 || key === null) return
    const look = () => {
      if (document.visibilityState === 'visible') again((n) => n + 1)
    }
    const timer = setInterval(look, every)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [key, every])

  const refresh = useCallback(() => again((n) => n + 1), [])
  const fits = state.key === key || options.keep
  return { data: fits ? state.data : undefined, problem: state.problem, loading: state.loading || state.key !== key, retryAt: state.retryAt, refresh }
}

/** Action is something that a person does and that may fail. */
export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<boolean>
  running: boolean
  problem: Problem | null
  clear: () => void
}

/** useAction runs one thing at a time and keeps why it failed. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<void>): Action<A> {
  const [running, setRunning] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const busy = useRef(false)
  const run = async (...args: A) => {
    if (busy.current) return false
    busy.current = true
    setRunning(true)
    setProblem(null)
    try {
      await act(...args)
      return true
    } catch (thrown) {
      setProblem(Problem.of(thrown))
      return false
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return { run, running, problem, clear: () => setProblem(null) }
}
