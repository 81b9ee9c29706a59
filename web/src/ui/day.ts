// Days as fields of dates have them, in the time zone of the person.

/** midnight is when a day begins where the person is, some days later; empty for what is no day. */
export function midnight(day: string, later: number): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const at = new Date(Number(year), Number(month) - 1, Number(date) + later)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
