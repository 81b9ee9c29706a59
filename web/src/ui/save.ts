// Saves files that the browser makes: tables and pictures of plots.

/** csvOf writes rows as CSV of RFC 4180; what is missing is an empty cell. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (v: string | number | null) => {
    const text = v === null ? '' : String(v)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map((r) => `${r.map(cell).join()}\r\n`).join('')
}

/** save hands a file to the browser's downloads. */
export function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** saveTable hands rows to the browser's downloads as CSV. */
export function saveTable(name: string, rows: readonly (readonly (string | number | null)[])[]): void {
  save(name, new Blob([csvOf(rows)], { type: 'text/csv' }))
}
