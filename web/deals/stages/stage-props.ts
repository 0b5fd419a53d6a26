import type { Progress } from '@keyturn/contract/deals/calls.ts'
import type { Moves } from './moves.ts'

export type StageProps = { progress: Progress; moves: Moves }
