import { useEffect, useState } from 'preact/hooks'

/** Whether a media query matches, also when that changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const listen = () => setMatches(list.matches)
    listen()
    list.addEventListener('change', listen)
    return () => list.removeEventListener('change', listen)
  }, [query])
  return matches
}
