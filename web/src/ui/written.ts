// What is written counts a moment later: nobody wants an answer for every letter.
import { useEffect, useRef, useState } from 'preact/hooks'

const pause = 300

/**
 * useWritten is the text of a field whose value counts when nothing more is written for a moment, or at once where now
 * says so.
 */
export function useWritten(
  value: string,
  onValue: (v: string) => void,
  now: (v: string) => boolean = () => false,
): [text: string, write: (v: string) => void] {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // A value from elsewhere, such as by "back", counts more than what is still being written;
  // the own one that comes back must not take away a space after the last word.
  useEffect(() => {
    if (value === text.trim()) return
    clearTimeout(timer.current)
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    text,
    (v) => {
      setText(v)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => onValue(v.trim()), now(v) ? 0 : pause)
    },
  ]
}
