import { count } from './text'

/** Pager leads through a list of total things, limit on a page. href makes the address of an offset. */
export function Pager({
  total,
  offset,
  limit,
  shown,
  more,
  href,
  what,
}: {
  total: number
  offset: number
  limit: number
  shown: number
  /** Whether something follows, where the total does not tell: a capture of two athletes has two rows. */
  more?: boolean
  href: (offset: number) => string
  what: string
}) {
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit)
  const link = (text: string, label: string, to: number, can: boolean) => (
    // One that leads nowhere any more is the same element: the focus stays where it is.
    <a
      class={`button${can ? '' : ' off'}`}
      aria-label={label}
      {...(can ? { href: href(to) } : { role: 'link', 'aria-disabled': true, tabIndex: -1 })}
    >
      {text}
    </a>
  )
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <span role="status">
        {shown === 0 ? `0 of ${count(total)}` : `${count(offset + 1)}–${count(offset + shown)} of ${count(total)}`}
      </span>
      {link('«', 'First page', 0, offset > 0)}
      {link('‹', 'Previous page', Math.max(0, offset - limit), offset > 0)}
      {link('›', 'Next page', offset + limit, more ?? offset + limit < total)}
      {link('»', 'Last page', last, offset < last)}
    </nav>
  )
}
