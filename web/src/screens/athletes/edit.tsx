import { useMemo, useRef, useState } from 'preact/hooks'
import { forgetName, type Athlete } from '../../api/athletes'
import { newKey } from 'kinebase/key'
import { useAction } from '../../api/query'
import { send, type Sent } from '../../api/request'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { faultsOf } from '../../ui/faults'
import { Check, Choice, Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'
import { label } from '../../ui/text'
import { tell } from '../../ui/toast'
import { fieldNames, fields, lines, positionsOf, valuesOf, type Line } from './fields'
import { change, written, type Written } from './form'
import { keptOf, preferUnits, roundingOf, shownIn, unitOf, unitsNow, type Measure, type Units } from './units'

/** Edit adds an athlete, or changes one. */
export function Edit({
  athlete,
  onClose,
  onSaved,
}: {
  athlete: Athlete | null
  onClose: () => void
  onSaved: (a: Pick<Athlete, 'id'>) => void
}) {
  const before = useMemo(() => written(athlete), [athlete])
  const [now, setNow] = useState<Written>(before)
  const key = useRef(newKey())
  const save = useAction(async () => {
    const body = change(before, now)
    if (athlete) {
      if (Object.keys(body).length > 0)
        await send('post', '/athletes/{athleteId}', {
          path: { athleteId: athlete.id },
          body: body as Sent<'/athletes/{athleteId}', 'post'>,
        })
      forgetName(athlete.id)
      tell('The athlete was saved.')
      onSaved(athlete)
    } else {
      const made = await send('post', '/athletes', {
        body: { first_name: '', ...body } as Sent<'/athletes', 'post'>,
        key: key.current,
      })
      tell('The athlete was added.')
      onSaved(made.athlete)
    }
  })
  const bad = save.problem?.status === 400 ? faultsOf(save.problem.message, fieldNames) : null
  const set = (name: string, value: string) => {
    key.current = newKey()
    setNow({ ...now, texts: { ...now.texts, [name]: value } })
  }
  // The text stays what somebody wrote; what is kept of it is in whole inches and pounds.
  const [units, setUnits] = useState(unitsNow)
  const [told, setTold] = useState<Partial<Record<Measure, string>>>({})
  const prefer = (to: Units) => {
    preferUnits(to)
    setUnits(to)
    setTold({})
  }
  const measure = (name: Measure) => {
    const kept = now.texts[name] ?? ''
    const text = told[name] ?? (/^\d+$/.test(kept) ? shownIn(name, Number(kept), units) : kept)
    return (
      <Field
        key={name}
        label={`${fields[name].title} in ${unitOf(name, units)}`}
        inputMode="decimal"
        value={text}
        fault={bad?.of[name]}
        hint={text ? roundingOf(name, text, units) || undefined : undefined}
        onInput={(e) => {
          const v = e.currentTarget.value
          setTold({ ...told, [name]: v })
          set(name, keptOf(name, v, units))
        }}
      />
    )
  }
  const line = (name: Line) => {
    const { title, input } = fields[name]
    if (input === 'measure') return measure(name as Measure)
    const common = { key: name, value: now.texts[name] ?? '', fault: bad?.of[name] }
    const values = valuesOf(name)
    if (values.length > 0)
      return (
        <Choice
          {...common}
          label={title}
          options={[['', 'Not said'], ...values.map((v) => [v, label(v)] as const)]}
          onChange={(e) => set(name, e.currentTarget.value)}
        />
      )
    const needed = name === 'first_name'
    return (
      <Field
        {...common}
        label={needed ? `${title} (needed)` : title}
        required={needed}
        type={input}
        min={input === 'date' ? '1900-01-01' : undefined}
        onInput={(e) => set(name, e.currentTarget.value)}
      />
    )
  }
  const can = positionsOf(now.texts.activity ?? '')
  return (
    <Dialog title={athlete ? 'Edit the athlete' : 'Add an athlete'} wide onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          void save.run()
        }}
      >
        {save.problem && (!bad || bad.rest.length > 0) && <ProblemBox problem={save.problem} />}
        <div class="grid">
          {lines.map(line)}
          <Choice
            label="Units"
            value={units}
            options={[
              ['metric', 'cm and kg'],
              ['imperial', 'inches and pounds'],
            ]}
            onChange={(e) => prefer(e.currentTarget.value as Units)}
          />
        </div>
        {can.length > 0 && (
          <fieldset>
            <legend>Positions</legend>
            <div class="row">
              {can.map((p) => (
                <Check
                  key={p}
                  label={label(p)}
                  checked={now.positions.includes(p)}
                  onChange={(e) =>
                    setNow({
                      ...now,
                      positions: e.currentTarget.checked ? [...now.positions, p] : now.positions.filter((x) => x !== p),
                    })
                  }
                />
              ))}
            </div>
            {bad?.of.positions && <p class="fault">{bad.of.positions}</p>}
          </fieldset>
        )}
        <Attributes now={now} setNow={setNow} fault={bad?.of.custom_attributes} />
        <footer class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={save.running}>
            {athlete ? 'Save' : 'Add'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

function Attributes({ now, setNow, fault }: { now: Written; setNow: (w: Written) => void; fault: string | undefined }) {
  const set = (n: number, more: Partial<Written['attributes'][number]>) =>
    setNow({ ...now, attributes: now.attributes.map((a, i) => (i === n ? { ...a, ...more } : a)) })
  return (
    <fieldset class="stack">
      <legend>Attributes of your own</legend>
      {now.attributes.map((a, n) => (
        <div class="attribute" key={n}>
          <Field
            label={`Name of attribute ${n + 1}`}
            hideLabel
            placeholder="team"
            maxLength={64}
            value={a.name}
            onInput={(e) => set(n, { name: e.currentTarget.value })}
          />
          <Field
            label={`Value of attribute ${n + 1}`}
            hideLabel
            placeholder="red"
            maxLength={1024}
            value={a.value}
            onInput={(e) => set(n, { value: e.currentTarget.value })}
          />
          <button
            type="button"
            class="close"
            aria-label={`Remove attribute ${a.name || n + 1}`}
            onClick={() => setNow({ ...now, attributes: now.attributes.filter((_, i) => i !== n) })}
          >
            ×
          </button>
        </div>
      ))}
      {fault && <p class="fault">{fault}</p>}
      <div>
        <Button onClick={() => setNow({ ...now, attributes: [...now.attributes, { name: '', value: '' }] })}>
          Add an attribute
        </Button>
      </div>
    </fieldset>
  )
}
