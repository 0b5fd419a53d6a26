import { texts } from '../../components/texts.ts'
import type { Change } from './changes.ts'

export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ul>
      {changes.map(({ label, before, after, sentence }) => (
        <li key={label + (sentence ?? '')}>
          <strong>{label}</strong>: {sentence ?? texts.was(before, after)}
        </li>
      ))}
    </ul>
  )
}
