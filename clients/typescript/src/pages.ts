// Lists come in pages, each of which says where the next one begins.

/** A page of a list, and where the next one begins: nothing at the end. */
export interface Page<T> {
  rows: T[]
  next: number | null | undefined
}

/** pages gives the pages of a list from one row on. */
export async function* pages<T>(first: number, page: (offset: number) => Promise<Page<T>>): AsyncGenerator<T[], void> {
  for (let offset: number | null | undefined = first; offset != null; ) {
    const { rows, next }: Page<T> = await page(offset)
    yield rows
    offset = next
  }
}

/** rows gives the rows of all of them. */
export async function* rows<T>(first: number, page: (offset: number) => Promise<Page<T>>): AsyncGenerator<T, void> {
  for await (const some of pages(first, page)) yield* some
}
