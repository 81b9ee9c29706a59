import { useEffect, useState } from 'preact/hooks'

const told = 'kinebase:told'

/** tell says shortly that something was done. */
export function tell(text: string): void {
  dispatchEvent(new CustomEvent(told, { detail: text }))
}

/** Toasts shows what was told, for some seconds, and reads it out. */
export function Toasts() {
  const [list, set] = useState<{ id: number; text: string }[]>([])
  useEffect(() => {
    let last = 0
    const show = (e: Event) => {
      const id = ++last
      set((l) => [...l.slice(-2), { id, text: String((e as CustomEvent).detail) }])
      setTimeout(() => set((l) => l.filter((t) => t.id !== id)), 6000)
    }
    addEventListener(told, show)
    return () => removeEventListener(told, show)
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {list.map((t) => (
        <p key={t.id} dir="auto">
          {t.text}
        </p>
      ))}
    </div>
  )
}
