import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type ListSectionProps = { title: string; lead?: string; action?: ReactNode; children: ReactNode }

/** A titled list on a page that has several; the list brings its own frame. */
export function ListSection({ title, lead, action, children }: ListSectionProps) {
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        {action}
      </Group>
      {lead && <p>{lead}</p>}
      {children}
    </Stack>
  )
}
