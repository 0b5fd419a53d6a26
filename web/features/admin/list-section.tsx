import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isFocusLost } from '../../components/feedback/focus.ts'

type ListSectionProps = { title: string; lead?: string; action?: ReactNode; children?: ReactNode }

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

/**
 * Call this before an action whose button disappears. The returned function moves the focus to the
 * section's title afterwards.
 */
export function focusTitleAround(button: Element): (done: unknown) => void {
  const title = button.closest('section')?.querySelector('h2')
  return (done) => {
    // The person may have moved the focus in the meantime.
    if (done && (isFocusLost() || document.activeElement === button)) title?.focus()
  }
}
