import { useEffect, useState } from 'preact/hooks'
import { ago } from './text'

/** How often it is looked at the clock, in ms. */
const often = 30_000

/** Ago is how long a moment has passed, and stays true while it is looked at. */
export function Ago({ iso }: { iso: string }) {
  const [text, set] = useState(() => ago(iso))
  useEffect(() => {
    const look = () => set(ago(iso))
    look()
    const timer = setInterval(look, often)
    return () => clearInterval(timer)
  }, [iso])
  return <>{text}</>
}
