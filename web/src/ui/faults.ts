// The server's rules name the field that they are about: their sentences belong
// beside it.

export interface Faults {
  of: Record<string, string>
  rest: string[] // about nothing that is shown
}

/** faultsOf gives each sentence of a message, which are set apart by "; ", to its field. */
export function faultsOf(message: string, fields: readonly string[]): Faults {
  const all: Faults = { of: {}, rest: [] }
  for (const sentence of message.split('; ')) {
    const field = fields.find((f) => sentence === f || sentence.startsWith(`${f} `) || sentence.startsWith(`${f}:`))
    if (field === undefined) {
      all.rest.push(sentence)
      continue
    }
    // The field's own label says what the sentence is about.
    const rule = sentence.slice(field.length).replace(/^:?\s*/, '')
    const told = rule ? rule[0]!.toUpperCase() + rule.slice(1) : sentence
    all.of[field] = all.of[field] ? `${all.of[field]}; ${told}` : told
  }
  return all
}
