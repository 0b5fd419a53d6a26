import { texts } from '../../components/texts.ts'
import type { Change } from './changes.ts'

export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ul>
      {changes.map(({ label, before, after, said }) => (
        <li key={label + (said ?? '')}>
          <strong>{label}</strong>: {said ?? texts.was(before, after)}
        </li>
      ))}
    </ul>
  )
}
