import { Field } from './field'

interface Props {
  value: string
  change: (value: string) => void
}

/** ChannelSearch is the field above a list of channels, for parts of their names. */
export function ChannelSearch({ value, change }: Props) {
  return (
    <Field
      label="Search channels"
      hideLabel
      type="search"
      placeholder="Search channels"
      value={value}
      onInput={(e) => change(e.currentTarget.value)}
    />
  )
}

/** wordsOf are the words of a search. */
export const wordsOf = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean)

/** hasAll says whether a text has all words, without regard to case. */
export const hasAll = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return words.every((w) => lower.includes(w))
}
