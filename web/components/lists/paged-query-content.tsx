import { Group } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { WorkButton } from '../feedback/work-button.tsx'
import { texts } from '../texts.ts'
import { QueryContent } from './query-content.tsx'

type Pages<Row> = { pages: readonly { rows: readonly Row[] }[] }
type LoadedProps<T> = ComponentProps<typeof QueryContent<T>>

export type PagedQueryContentProps<Row> = Omit<LoadedProps<Pages<Row>>, 'from' | 'isEmpty' | 'children'> & {
  from: LoadedProps<Pages<Row>>['from'] & { hasNextPage: boolean; fetchNextPage: () => unknown }
  children: (rows: readonly NoInfer<Row>[]) => ReactNode
}

export function PagedQueryContent<Row>({ from, children, ...rest }: PagedQueryContentProps<Row>) {
  return (
    <QueryContent {...rest} from={from} isEmpty={(data) => rowsOf(data).length === 0}>
      {(data) => (
        <>
          {children(rowsOf(data))}
          {from.hasNextPage && (
            <Group justify="center">
              <WorkButton variant="default" onClick={() => from.fetchNextPage()} working={texts.loading}>
                {texts.more}
              </WorkButton>
            </Group>
          )}
        </>
      )}
    </QueryContent>
  )
}

const rowsOf = <Row,>({ pages }: Pages<Row>): readonly Row[] => pages.flatMap(({ rows }) => rows)
