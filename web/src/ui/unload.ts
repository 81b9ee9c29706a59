import { useEffect } from 'preact/hooks'

/** useUnloadQuestion has the browser ask before the page closes while something is under way. */
export function useUnloadQuestion(busy: boolean): void {
  useEffect(() => {
    if (!busy) return
    const ask = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [busy])
}
