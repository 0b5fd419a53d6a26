import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isFocusLost } from '../ui/feedback/focus.ts'

type ListSectionProps = { title: string; lead?: string; action?: ReactNode; children: ReactNode }

/** A titled list on a page that has several; the list brings its own frame. */
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

/** For an act whose button goes with its row: call it before the act, and what it answers after it. */
export function titleAround(button: Element): () => void {
  const section = button.closest('section')
  return () => {
    if (isFocusLost()) section?.querySelector('h2')?.focus()
  }
}
