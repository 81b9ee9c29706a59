// The scene on paper: a browser prints no picture of WebGL that it has put on the screen already.

import { useEffect } from 'preact/hooks'
import type { View } from './scene/view'

interface Sheets {
  view: { current: View | null }
  canvas: { current: HTMLCanvasElement | null }
  over: { current: HTMLCanvasElement | null }
  /** The canvas that is printed in their place. */
  paper: { current: HTMLCanvasElement | null }
}

/** usePrinted draws the scene once more when the page is about to be printed, and keeps a copy of it. */
export function usePrinted({ view, canvas, over, paper }: Sheets): void {
  useEffect(() => {
    const copy = () => {
      const [from, to] = [canvas.current, paper.current]
      if (!view.current || !from || !to) return
      view.current.draw()
      to.width = from.width
      to.height = from.height
      const pen = to.getContext('2d')
      pen?.drawImage(from, 0, 0)
      if (over.current && over.current.width > 0) pen?.drawImage(over.current, 0, 0, to.width, to.height)
    }
    addEventListener('beforeprint', copy)
    return () => removeEventListener('beforeprint', copy)
  }, [])
}
