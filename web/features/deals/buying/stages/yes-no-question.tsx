import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ReactNode } from 'react'
import { AnswerCards } from '../../choice-cards.tsx'
import { QuestionLayout } from './question-layout.tsx'
import type { StageMoves } from './use-stage-moves.ts'

type YesNoQuestionProps = {
  title: string
  lead: string
  /** The consequences of the two answers, shown on their cards. */
  yes: string
  no: string
  given: boolean | null
  moves: StageMoves
  onAnswer: (answer: boolean) => Promise<void>
  children?: ReactNode
}

/** A question with two large cards. A click saves the answer and continues (R-deals-5). */
export function YesNoQuestion(props: YesNoQuestionProps) {
  const { title, lead, given, moves, children } = props
  return (
    <QuestionLayout title={title} lead={lead} moves={moves}>
      {children}
      <AnswerCards<Answer>
        legend={title}
        given={given === null ? null : given ? 'yes' : 'no'}
        working={wizardTexts.saving}
        onAnswer={(answer) => props.onAnswer(answer === 'yes')}
        options={[
          { value: 'yes', title: texts.yes, consequence: props.yes },
          { value: 'no', title: texts.no, consequence: props.no },
        ]}
      />
    </QuestionLayout>
  )
}

type Answer = 'yes' | 'no'
