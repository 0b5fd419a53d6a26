import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isFocusLost } from '../../components/feedback/focus.ts'

type ListSectionProps = { title: string; lead?: string; action?: ReactNode; children: ReactNode }

export function ListSection({ title, lead, action, children }: ListSectionProps) {
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between">
        <Title order={2} tabIndex={-1}>
          {title}
        </Title>
        {action}
      </Group>
      {lead && <p>{lead}</p>}
      {children}
    </Stack>
  )
}

/** For an act whose button goes with its row: called before the act, it answers what moves the focus after it. */
export function titleAround(button: Element): (done: unknown) => void {
  const title = button.closest('section')?.querySelector('h2')
  return (done) => {
    // The focus may have gone on to something else meanwhile.
    if (done && (isFocusLost() || document.activeElement === button)) title?.focus()
  }
}
