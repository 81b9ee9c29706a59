import { useQuery } from '../../api/query'
import { useMay } from '../../api/session'
import { LinkButton } from '../../ui/button'
import { narrowed, spanOf } from './narrow'
import { formOf, queryOf, type Wish } from './wish'

/** Failed says why an export failed, and opens the form with less of the same. */
export function Failed({ message, wish, mayAsk }: { message: string; wish: Wish | undefined; mayAsk: boolean }) {
  const may = useMay()
  const span = useQuery(mayAsk && wish && may('captures:read') ? `span ${queryOf(wish)}` : null, (signal) =>
    spanOf(wish!, signal),
  )
  const known = span.data ?? (wish?.from && wish.to ? { from: wish.from, to: wish.to } : null)
  return (
    <section class="card stack" aria-labelledby="failed">
      <h2 id="failed">Why it failed</h2>
      <p class="reason" dir="auto">
        {message}
      </p>
      {mayAsk &&
        (wish ? (
          <>
            <h3>Ask for less</h3>
            <p class="quiet">Each opens the form with the same request, narrowed. Nothing is started yet.</p>
            <div class="ways">
              {narrowed(wish, known).map((n, i) => (
                <LinkButton key={n.words} kind={i === 0 ? 'main' : 'plain'} href={formOf(n.wish)}>
                  {n.words}
                </LinkButton>
              ))}
              <LinkButton href={formOf(wish)}>Change the request by hand</LinkButton>
            </div>
          </>
        ) : (
          <div class="row">
            <p class="quiet">What it asked for is not known in this browser.</p>
            <LinkButton href="/exports">Ask for another</LinkButton>
          </div>
        ))}
    </section>
  )
}
