// The editor of bones: two points that are picked get a bone, or lose it.

import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../../api/query'
import { useMay } from '../../../api/session'
import { Button } from '../../../ui/button'
import { Choice, Field } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'
import { change } from './save'
import { fittings, joins, namesOf, placed, toggled, without } from './sets'
import type { Bones } from './use'

interface Props {
  bones: Bones
  /** The point that was chosen in the scene last, by its label; null for none. */
  picked: string | null
}

export default function Editor({ bones, picked }: Props) {
  const { draft, setDraft, fit, points } = bones
  const [ends, setEnds] = useState<[string, string]>(['', ''])
  const [name, setName] = useState('')
  const mayWrite = useMay()('captures:write')
  const editing = draft !== null
  useEffect(() => () => setDraft(null), [])
  useEffect(() => {
    if (!editing || picked === null) return
    setEnds(([from, to]) => {
      if (!from || from === picked) return [picked, from === picked ? to : '']
      setDraft(toggled(draft, from, picked))
      return ['', '']
    })
  }, [picked])
  const save = useAction(async () => {
    if (!draft) return
    const set = { name: name.trim(), bones: draft.map((p) => [...p]) }
    let sets = [set]
    await change((before) => (sets = placed(before, set)))
    setDraft(null)
    bones.refresh()
    const other = fittings(points, sets).find((f) => f.set !== set)
    tell(
      other
        ? `“${set.name}” is saved. “${other.set.name}” has more points of this recording, and is drawn.`
        : `“${set.name}” is saved for the organization.`,
    )
  })
  const remove = useAction(async (which: string) => {
    await change((before) => without(before, which))
    setDraft(null)
    bones.refresh()
    tell(`“${which}” is removed.`)
  })
  const problem = save.problem ?? remove.problem
  const labels = [...new Set(points.map((p) => p.label))]
  const inUse = [...new Set(fit.map((f) => f.set.name))]

  if (!draft)
    return (
      <div class="stack">
        <p class="quiet small">
          {inUse.length > 0
            ? `Drawn by ${inUse.map((n) => `“${n}”`).join(', ')}, as your organization has saved it.`
            : 'Drawn as the file says, or by the names of the points. A set of your own is drawn wherever at least 80 % of its points are there.'}
        </p>
        {mayWrite && (
          <div class="row">
            <Button
              onClick={() => {
                setName(inUse[0] ?? '')
                setEnds(['', ''])
                setDraft(namesOf(points, bones.drawn))
              }}
            >
              Edit bones
            </Button>
            {inUse.map((n) => (
              <Button key={n} busy={remove.running} onClick={() => void remove.run(n)}>
                Remove “{n}”
              </Button>
            ))}
          </div>
        )}
        {problem && <ProblemBox problem={problem} />}
      </div>
    )
  const [from, to] = ends
  const options = [['', 'Choose a point'], ...labels.map((l) => [l, l])] as [string, string][]
  return (
    <form
      class="stack"
      onSubmit={(e) => {
        e.preventDefault()
        void save.run()
      }}
    >
      <p class="quiet small" role="status">
        {draft.length === 1 ? '1 bone' : `${draft.length} bones`}. Click two points of the scene one after the other:
        they get a bone, or lose the one that they have.
      </p>
      <Choice label="Bone from" value={from} options={options} onChange={(e) => setEnds([e.currentTarget.value, to])} />
      <Choice label="Bone to" value={to} options={options} onChange={(e) => setEnds([from, e.currentTarget.value])} />
      <div class="row">
        <Button
          disabled={!from || !to || from === to}
          onClick={() => {
            setDraft(toggled(draft, from, to))
            setEnds(['', ''])
          }}
        >
          {from && to && joins(draft, from, to) ? 'Take the bone out' : 'Join them'}
        </Button>
        <Button disabled={draft.length === 0} onClick={() => setDraft([])}>
          Take all out
        </Button>
      </div>
      <Field
        label="Name of the set"
        maxLength={64}
        required
        value={name}
        onInput={(e) => setName(e.currentTarget.value)}
      />
      {problem && <ProblemBox problem={problem} />}
      <div class="row">
        <Button kind="main" type="submit" busy={save.running} disabled={draft.length === 0 || !name.trim()}>
          Save for the organization
        </Button>
        <Button onClick={() => setDraft(null)}>Cancel</Button>
      </div>
    </form>
  )
}
