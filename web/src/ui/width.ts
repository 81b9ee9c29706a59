import { useLayoutEffect, useState } from 'preact/hooks'

/** useWidth is how wide something is, in pixels: what is drawn in that many has its text as large everywhere. */
export function useWidth(of: { readonly current: HTMLElement | null }, first: number): number {
  const [width, set] = useState(first)
  useLayoutEffect(() => {
    const box = of.current
    if (!box) return
    const look = () => set(Math.max(240, Math.round(box.clientWidth)))
    look()
    const watch = new ResizeObserver(look)
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  return width
}
