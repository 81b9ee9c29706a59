import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/problem'
import { useMay, useSession } from '../api/session'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Choice, Field } from '../ui/field'
import { localOf } from '../ui/moment'
import { MovementFields, type Movement } from '../ui/movement'
import { ProblemBox } from '../ui/problem'
import { bytes, count, things } from '../ui/text'
import { Athletes } from './athletes'
import { One, Several } from './files'
import { given, none, taken, without } from './groups'
import { endings, inWords, isVideo, joined, tellApart, unfit } from './kinds'
import { agreed, filled, open, saidOf, type Laid, type Own } from './own'
import { keepNames, toldOf } from './names'
import { Queue } from './queue'
import { calibrations, isCalibration, Rig, unfitCalibration } from './rig'
import { sheetName } from './sheet'
import { Loose, Told, usePlan } from './sheets'
import { keep, kept, tellChange } from './state'

/** How many of the files that are left out are named. */
const shownLeft = 5

const setups = [
  ['', 'Not said'],
  ['single', 'One'],
  ['multiple', 'Several'],
] as const
const orientations = [
  ['', 'Not said'],
  ['portrait', 'Upright'],
  ['landscape', 'Sideways'],
] as const

interface Props {
  /** The files of each choice or drop so far. */
  choices: readonly File[][]
  over: boolean
  onClose: () => void
}

/** Choose asks which files are sent, and what they have in common; then they go. */
export default function Choose({ choices, over, onClose }: Props) {
  const { limits, organization } = useSession()
  const may = useMay()
  const [choice, setChoice] = useState(none)
  const [left, setLeft] = useState<File[]>([])
  const [athletes, setAthletes] = useState<string[]>([])
  const [movement, setMovement] = useState<Movement>({ activity: '', movement: '', dimensions: {} })
  const [recorded, setRecorded] = useState('')
  const [own, setOwn] = useState<ReadonlyMap<File, Own>>(new Map())
  const [camera, setCamera] = useState({ setup: '', orientation: '' })
  const [calibration, setCalibration] = useState<File | null>(null)
  const laid = useRef<ReadonlyMap<File, Laid>>(new Map())
  const fill = (rows: ReadonlyMap<File, Laid>) => {
    const before = laid.current
    laid.current = rows
    setOwn((own) => filled(own, before, rows))
  }
  const planned = usePlan(choice.groups, may('athletes:read'), (plan) => fill(plan.rows))
  const chosen = useMemo(() => choice.groups.flatMap((g) => g.files), [choice.groups])
  const refused = planned.plan?.refused
  const sent = useMemo(() => chosen.filter((f) => !refused?.has(f)), [chosen, refused])
  const videos = sent.filter((f) => isVideo(f.name))
  const together = calibration !== null && videos.length > 1 ? calibration : null
  const all: Own = { ...open, athletes, ...movement, recorded }
  const rows = videos.map((f) => own.get(f) ?? open)
  const shared = agreed(all, rows, camera)
  const [naming, setNaming] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const some = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const seen = useRef(0) // of choices, which grow while this is open
  const faulty = useRef<ReadonlySet<File>>(new Set())
  faulty.current = planned.plan?.faulty ?? new Set()
  const known = useRef<readonly File[]>([])
  const adding = useRef(Promise.resolve())

  // One choice after the other: files that look the same are read to be told apart.
  const add = (more: readonly File[]) => {
    adding.current = adding.current.then(async () => {
      await tellApart(known.current, more)
      known.current = joined(known.current, more)
      taking(more)
    })
  }
  const taking = (all: readonly File[]) => {
    const told = all.findLast((f) => isCalibration(f.name))
    if (told) setCalibration(told)
    const tables = all.filter((f) => f.name === sheetName)
    const more = all.filter((f) => !isCalibration(f.name) && f.name !== sheetName)
    const fits = (f: File) => unfit(f, limits.max_upload_bytes) === ''
    setChoice((before) => taken(before, more.filter(fits), tables, faulty.current))
    setLeft((before) =>
      joined(
        before,
        more.filter((f) => !fits(f)),
      ),
    )
  }
  useEffect(() => {
    for (const one of choices.slice(seen.current)) add(one)
    seen.current = choices.length
  }, [choices])

  const begin = async () => {
    const names = planned.plan?.names
    if (naming && names && toldOf(names).length > 0) {
      // Before the first file is read, as the import has it.
      setBusy(true)
      setProblem(null)
      try {
        await keepNames(names)
      } catch (thrown) {
        setProblem(Problem.from(thrown))
        return
      } finally {
        setBusy(false)
      }
    }
    const queue = kept(organization.id) ?? new Queue(tellChange)
    const common = shared ?? saidOf(all, open, camera)
    const said = (f: File) => saidOf(all, own.get(f) ?? open, camera)
    const rig = together && new Rig(together.name, await together.text())
    keep(queue, organization.id)
    if (rig) {
      // The movement is that of the motion which is made of all: of each camera by itself it would count once more.
      const filmed = { ...common, attributes: {}, camera: { ...camera, setup: 'multiple' } }
      queue.add(videos, () => filmed, rig)
      queue.add([rig.named(stemOf(videos[0]!.name))], () => common, rig)
    }
    queue.add(rig ? sent.filter((f) => !isVideo(f.name)) : sent, said)
    onClose()
  }
  const pick = (input: HTMLInputElement) => {
    add([...(input.files ?? [])])
    input.value = ''
  }
  // A row with values stays in sight when the other files are left out.
  const several = sent.length > 1 || sent.some((f) => own.has(f))
  const leave = (f: File) => setChoice((before) => without(before, f))
  const size = sent.reduce((sum, f) => sum + f.size, 0)
  const unread =
    calibration && unfitCalibration(calibration, videos.length)
      ? [{ name: calibration.name, why: unfitCalibration(calibration, videos.length) }]
      : []
  const out = [
    ...left.map((f) => ({ name: f.name, why: unfit(f, limits.max_upload_bytes) })),
    ...unread,
    ...chosen.flatMap((f) => ({ name: f.name, why: refused?.get(f) ?? '' })).filter((o) => o.why !== ''),
  ]
  const ready = sent.length > 0 && !planned.pending && choice.loose.length === 0 && !busy
  const alone = () => {
    fill(new Map())
    setChoice({ groups: choice.groups.map((g) => ({ ...g, sheets: [] })), loose: [] })
  }

  return (
    <Dialog title="Upload" wide onClose={onClose} first=".choose button">
      <form
        class="stack"
        onSubmit={(e) => {
          e.preventDefault()
          if (ready) void begin()
        }}
      >
        <div class={`choose${over ? ' over' : ''}`}>
          <p class="strong">Drop files or folders here</p>
          <p class="quiet small">
            {inWords}, up to {bytes(limits.max_upload_bytes)} each
          </p>
          <div class="row">
            <Button onClick={() => some.current?.click()}>Choose files</Button>
            <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
          </div>
          <input
            ref={some}
            type="file"
            multiple
            accept={[...endings, ...calibrations].join()}
            class="unseen"
            tabIndex={-1}
            aria-label="Files to upload"
            onChange={(e) => pick(e.currentTarget)}
          />
          <input
            ref={folder}
            type="file"
            {...{ webkitdirectory: true }}
            class="unseen"
            tabIndex={-1}
            aria-label="A folder to upload"
            onChange={(e) => pick(e.currentTarget)}
          />
        </div>
        {out.length > 0 && (
          <div class="notice" role="status">
            <p class="strong">
              {out.length === 1 ? 'One file is left out' : `${count(out.length)} files are left out`}
            </p>
            <ul class="left">
              {out.slice(0, shownLeft).map((f, n) => (
                <li key={n}>
                  <span dir="auto">{f.name}</span>: {f.why}
                </li>
              ))}
              {out.length > shownLeft && <li>and {count(out.length - shownLeft)} more</li>}
            </ul>
          </div>
        )}
        {choice.groups.some((g) => g.sheets.length > 0) && (
          <Told planned={planned} of={chosen.length} naming={naming} onNaming={setNaming} without={alone} />
        )}
        {choice.loose.map((sheet, n) => (
          <Loose
            key={n}
            sheet={sheet}
            groups={choice.groups}
            give={(g) => setChoice((before) => given(before, sheet, g))}
            without={() => setChoice((before) => ({ ...before, loose: before.loose.filter((s) => s !== sheet) }))}
          />
        ))}
        {sent.length > 0 && (
          <div class="stack tight">
            <p class="quiet small" role="status">
              {things(sent.length, 'file')}, {bytes(size)}
            </p>
            {!several && <One file={sent[0]!} leave={leave} />}
          </div>
        )}
        <fieldset class="common">
          <legend>For all files</legend>
          {may('athletes:read') && <Athletes ids={athletes} onIds={setAthletes} />}
          <MovementFields value={movement} onValue={setMovement} />
          <Field
            label="Recorded"
            type="datetime-local"
            value={recorded}
            max={localOf(new Date().toISOString()).slice(0, 16)}
            hint="In your own time zone. Leave it empty to have what each file says; of a file that does not say, the time of the upload is kept."
            onInput={(e) => setRecorded(e.currentTarget.value)}
          />
        </fieldset>
        {videos.length > 0 && (
          <fieldset class="common">
            <legend>For the videos</legend>
            {together ? (
              <p role="status">
                <span dir="auto">{together.name}</span> says where the {count(videos.length)} cameras were: one
                recording is made of all videos. {!shared && 'Their rows differ: it takes the values for all files. '}
                <Button kind="quiet" onClick={() => setCalibration(null)}>
                  Each for itself
                </Button>
              </p>
            ) : (
              <Choice
                label="Cameras"
                value={camera.setup}
                options={setups}
                onChange={(e) => setCamera({ ...camera, setup: e.currentTarget.value })}
              />
            )}
            <Choice
              label="Held"
              value={camera.orientation}
              options={orientations}
              onChange={(e) => setCamera({ ...camera, orientation: e.currentTarget.value })}
            />
          </fieldset>
        )}
        {several && (
          <Several
            files={sent}
            all={all}
            own={own}
            onOwn={(f, o) => setOwn(new Map(own).set(f, o))}
            leave={leave}
            athletes={may('athletes:read')}
            together={together && videos}
            shared={shared}
          />
        )}
        {problem && <ProblemBox problem={problem} />}
        <footer class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" disabled={!ready}>
            {sent.length > 0 ? `Upload ${things(sent.length, 'file')}` : 'Upload'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** stemOf is a name without its ending. */
const stemOf = (name: string) => name.replace(/\.[^.]*$/, '')
