import { Accordion } from '@mantine/core'
import type { ReactNode } from 'react'

export function Faq({
  items,
  order = 3,
}: {
  items: readonly { question: string; answer: ReactNode }[]
  order?: 2 | 3
}) {
  return (
    <Accordion order={order}>
      {items.map(({ question, answer }, index) => (
        // The value becomes part of an id, which must not contain the question's spaces.
        <Accordion.Item key={question} value={`question-${index}`}>
          <Accordion.Control>{question}</Accordion.Control>
          <Accordion.Panel>{answer}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
