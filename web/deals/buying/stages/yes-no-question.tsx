import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { type ReactNode, useState } from 'react'
import { Choices } from '../../choices.tsx'
import { Question } from './question.tsx'
import { SaveTrouble } from './save-trouble.tsx'
import type { Moves } from './use-moves.ts'

type YesNoQuestionProps = {
  title: string
  lead: string
  /** What follows from each answer. */
  yes: string
  no: string
  given: boolean | null
  moves: Moves
  onAnswer: (answer: boolean) => Promise<void>
  children?: ReactNode
}

/** A question with two large cards; an earlier answer is still selected on coming back. */
export function YesNoQuestion(props: YesNoQuestionProps) {
  const { title, lead, moves, children } = props
  const [answer, setAnswer] = useState<Answer | null>(
    props.given === null ? null : props.given ? 'yes' : 'no',
  )
  const [isMissing, setMissing] = useState(false)
  const isWrong = isMissing && answer === null
  const submit = () => (answer === null ? setMissing(true) : props.onAnswer(answer === 'yes'))
  return (
    <Question
      title={title}
      lead={lead}
      onSubmit={submit}
      primary={{ label: texts.continue, working: wizardTexts.saving }}
      onBack={moves.back}
      backLabel={texts.back}
      trouble={<SaveTrouble unsaved={moves.unsaved} />}
    >
      {children}
      <Choices<Answer>
        legend={title}
        value={answer}
        onChange={setAnswer}
        error={isWrong ? wizardTexts.answerMissing : undefined}
        options={[
          { value: 'yes', title: texts.yes, consequence: props.yes },
          { value: 'no', title: texts.no, consequence: props.no },
        ]}
      />
    </Question>
  )
}

type Answer = 'yes' | 'no'
