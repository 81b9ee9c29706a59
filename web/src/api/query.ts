import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from './problem'

/** Query is what was asked for, as far as it is known. */
export interface Query<T> {
  /** The last good answer; it stays while a newer one is awaited or cannot be had. */
  data: T | undefined
  /** The answer is that of an earlier key: the one that fits is awaited. */
  old: boolean
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
  /** The key that data answers. */
  of: string | null
  problem: Problem | null
  loading: boolean
  retryAt: number | null
}

const nothing = { key: null, data: undefined, of: null, problem: null, loading: false, retryAt: null }

/**
 * useQuery asks, again whenever key changes, and every `every` milliseconds while
 * the page is looked at (0: never). What fails for a passing reason is tried again,
 * after the time that the server names and not before, however often it is looked.
 * The answer of an old key is never shown under a new one; with keep it is until
 * the new one's is known, and marked as old.
 */
export function useQuery<T>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<T>,
  options: { every?: number; keep?: boolean } = {},
): Query<T> {
  const [state, set] = useState<State<T>>(nothing)
  const asking = useRef(ask)
  asking.current = ask
  const [round, again] = useState(0)
  const failures = useRef(0)
  const asked = useRef(false) // and the answer is awaited
  const notBefore = useRef(0)
  const every = options.every ?? 0

  useEffect(() => {
    if (key === null) {
      set(nothing)
      return
    }
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    asked.current = true
    notBefore.current = 0
    set((s) => ({ ...s, key, data: s.of === key || options.keep ? s.data : undefined, loading: true }))
    asking.current(stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return
        asked.current = false
        failures.current = 0
        set({ key, data, of: key, problem: null, loading: false, retryAt: null })
      },
      (thrown: unknown) => {
        if (stop.signal.aborted) return
        asked.current = false
        const problem = Problem.from(thrown)
        let retryAt: number | null = null
        if (problem.passing) {
          const wait =
            problem.retryAfter !== null
              ? problem.retryAfter * 1000
              : Math.min(longestWait, firstWait * 2 ** failures.current++)
          retryAt = notBefore.current = Date.now() + wait
          timer = setTimeout(() => again((n) => n + 1), wait)
        }
        // What does not fit the new key is not left standing as if it did.
        set((s) => ({ ...s, key, data: s.of === key ? s.data : undefined, problem, loading: false, retryAt }))
      },
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [key, round])

  // A hidden page asks for nothing and asks at once when it is shown again. A request that
  // takes longer than this interval is not sent a second time.
  useEffect(() => {
    if (every === 0 || key === null) return
    const look = () => {
      if (document.visibilityState === 'visible' && !asked.current && Date.now() >= notBefore.current)
        again((n) => n + 1)
    }
    const timer = setInterval(look, every)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [key, every])

  const refresh = useCallback(() => again((n) => n + 1), [])
  const old = state.of !== key
  return {
    data: !old || options.keep ? state.data : undefined,
    old,
    problem: state.problem,
    loading: state.loading || state.key !== key,
    retryAt: state.retryAt,
    refresh,
  }
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
      setProblem(Problem.from(thrown))
      return false
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return { run, running, problem, clear: () => setProblem(null) }
}
