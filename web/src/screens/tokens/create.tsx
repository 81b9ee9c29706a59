import { useState } from 'preact/hooks'
import { useAction } from '../../api/query'
import { send, type Sent } from '../../api/request'
import { useMay, type Right } from '../../api/session'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { faultsOf } from '../../ui/faults'
import { Check, Choice, Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'

const roles = [
  ['viewer', 'Viewer: reads everything'],
  ['editor', 'Editor: reads and writes'],
  ['admin', 'Admin: manages tokens too'],
  ['', 'Some scopes'],
] as const
const scopes: readonly Right[] = [
  'captures:read',
  'captures:write',
  'athletes:read',
  'athletes:write',
  'exports:read',
  'exports:write',
  'admin',
]
const lives = [
  ['7', 'In a week'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['never', 'Never'],
] as const
const fields = ['name', 'role', 'scopes', 'expires_at'] as const

/** Create makes a token. Nobody can grant more than the own scopes. */
export function Create({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (t: { name: string; token: string }) => void
}) {
  const may = useMay()
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('viewer')
  const [some, setSome] = useState<Right[]>([])
  const [life, setLife] = useState('90')
  const create = useAction(async () => {
    const body = {
      name,
      ...(role ? { role } : { scopes: scopes.filter((s) => some.includes(s)) }),
      expires_at: life === 'never' ? 'never' : new Date(Date.now() + Number(life) * 86_400_000).toISOString(),
    }
    onCreated(await send('post', '/tokens', { body: body as Sent<'/tokens', 'post'> }))
  })
  const bad = create.problem?.status === 400 ? faultsOf(create.problem.message, fields) : null
  return (
    <Dialog title="Create a token" onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          void create.run()
        }}
      >
        {create.problem && (!bad || bad.rest.length > 0) && <ProblemBox problem={create.problem} />}
        <Field
          label="Name"
          hint="What it is for, such as “nightly export”."
          required
          maxLength={128}
          value={name}
          fault={bad?.of.name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
        <Choice
          label="What it may do"
          value={role}
          options={roles}
          fault={bad?.of.role}
          onChange={(e) => setRole(e.currentTarget.value)}
        />
        {role === '' && (
          <fieldset>
            <legend class="unseen">Scopes</legend>
            <div class="row">
              {scopes.filter(may).map((s) => (
                <Check
                  key={s}
                  label={s}
                  checked={some.includes(s)}
                  onChange={(e) => setSome(e.currentTarget.checked ? [...some, s] : some.filter((x) => x !== s))}
                />
              ))}
            </div>
            {bad?.of.scopes && <p class="fault">{bad.of.scopes}</p>}
          </fieldset>
        )}
        <Choice
          label="Expires"
          value={life}
          options={lives}
          fault={bad?.of.expires_at}
          onChange={(e) => setLife(e.currentTarget.value)}
        />
        <footer class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={create.running}>
            Create
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
