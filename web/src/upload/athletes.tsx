import { useNames } from '../api/athletes'
import { AthletePicker } from '../ui/athlete-picker'
import { Check } from '../ui/field'

/** How many athletes one capture may be linked to. */
export const athletesMost = 16

interface Props {
  ids: readonly string[]
  onIds: (ids: string[]) => void
  /** The file that they move in; undefined for all files. */
  of?: string
  /** What the field shows as long as nobody is chosen. */
  empty?: string
  /** Nobody moves in it, whoever moves in all files. */
  nobody?: boolean
  /** Says so, or takes it back; undefined where it is not to be said. */
  onNobody?: ((nobody: boolean) => void) | undefined
}

/** Athletes are those who move in a file, or in every one. */
export function Athletes({ ids, onIds, of, empty = 'Nobody: write a name', nobody = false, onNobody }: Props) {
  const names = useNames(ids, true)
  const which = of === undefined ? '' : ` of ${of}`
  return (
    <div class="athletes">
      {ids.length < athletesMost && (
        <AthletePicker
          label={`${ids.length === 0 ? 'Athlete' : 'Another athlete'}${which}`}
          hideLabel={of !== undefined}
          value=""
          placeholder={ids.length === 0 ? empty : of === undefined ? 'Write a name' : 'Another'}
          onPick={(id) => {
            if (id && !ids.includes(id)) onIds([...ids, id])
          }}
        />
      )}
      {onNobody && ids.length === 0 && (
        <Check
          label="Nobody"
          aria-label={`Nobody in ${of}`}
          checked={nobody}
          onChange={(e) => onNobody(e.currentTarget.checked)}
        />
      )}
      {ids.length > 0 && (
        <ul class="picked" aria-label={`Athletes${which || ' of all files'}`}>
          {ids.map((id) => {
            const name = names.get(id) ?? `${id.slice(0, 8)}…`
            return (
              <li key={id}>
                <span dir="auto">{name}</span>
                <button
                  type="button"
                  class="close"
                  aria-label={`Take out ${name}${which && `,${which}`}`}
                  onClick={() => onIds(ids.filter((i) => i !== id))}
                >
                  ×
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
