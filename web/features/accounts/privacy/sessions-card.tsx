import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { sessionTexts as texts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { endpointQuery } from '../../../api/queries.ts'
import { Collapsible } from '../../../components/display/collapsible.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { restoreFocus } from '../../../components/feedback/focus.ts'
import { announce } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Entry, EntryList } from '../../../components/lists/entry-list.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'

const sessionsQuery = endpointQuery(listSessions, ['accounts', 'sessions'])

/** Where the person is signed in, and how to end it (R-accounts-48, R-accounts-49). */
export function SessionsCard() {
  const found = useQuery(sessionsQuery)
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={texts.title}
      action={
        <Button variant="default" onClick={() => setOpen(true)}>
          {texts.open}
        </Button>
      }
    >
      <QueryContent from={found} failed={texts.failed} skeleton="lines" skeletonRows={1}>
        {({ sessions }) => <p>{texts.lead(sessions.filter(({ isActive }) => isActive).length)}</p>}
      </QueryContent>
      {isOpen && <SessionsDialog onClose={() => setOpen(false)} />}
    </Card>
  )
}

function SessionsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const found = useQuery(sessionsQuery)
  const show = (answer: { sessions: Session[] }) => client.setQueryData(sessionsQuery.queryKey, answer)
  const ending = useEndpointMutation(endSession, { onDone: show, refresh: [] })
  const endingOthers = useEndpointMutation(endOtherSessions, { onDone: show, success: texts.othersSignedOut })
  // A session that somebody else has just ended is not found: it is what the person wanted.
  const hasEnded = hasErrorCode(ending.error, endSession, 'NotFound')
  const error = (hasEnded ? null : ending.error) ?? endingOthers.error
  const sessions = found.data?.sessions ?? []
  const active = sessions.filter(({ isActive }) => isActive)
  const past = sessions.filter(({ isActive }) => !isActive)
  const list = useRef<HTMLDivElement>(null)
  const signOut = async ({ _id, name }: Session) => {
    endingOthers.reset()
    if (await ending.attempt({ params: { sessionId: _id } })) announce(texts.signedOut(name))
    else await found.refetch()
    restoreFocus(list.current)
  }
  const signOutOthers = async () => {
    ending.reset()
    await endingOthers.attempt({})
    restoreFocus(list.current)
  }
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      trouble={error && <Failure sentence={texts.signOutFailed} fault={error} />}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          <WorkButton
            color="brick"
            variant="outline"
            onClick={signOutOthers}
            disabled={!active.some(({ isCurrent }) => !isCurrent)}
          >
            {texts.signOutOthers}
          </WorkButton>
        </>
      }
    >
      <Stack gap="lg" ref={list} tabIndex={-1}>
        <QueryContent from={found} failed={texts.failed} skeletonRows={2}>
          {() => (
            <EntryList>
              {active.map((session) => (
                <SessionEntry
                  key={session._id}
                  session={session}
                  actions={
                    !session.isCurrent && (
                      <WorkButton
                        size="sm"
                        variant="default"
                        aria-label={texts.signOutOf(session.name)}
                        onClick={() => signOut(session)}
                      >
                        {texts.signOut}
                      </WorkButton>
                    )
                  }
                />
              ))}
            </EntryList>
          )}
        </QueryContent>
        <p>{texts.unknown}</p>
        {past.length > 0 && (
          <Collapsible title={texts.past}>
            <EntryList>
              {past.map((session) => (
                <SessionEntry key={session._id} session={session} />
              ))}
            </EntryList>
          </Collapsible>
        )}
      </Stack>
    </Dialog>
  )
}

function SessionEntry({ session, actions }: { session: Session; actions?: ReactNode }) {
  const { name, network, signedInAt, lastUsedAt, isCurrent } = session
  return (
    <Entry actions={actions}>
      <Text fw={600}>{name}</Text>
      <Text c="dimmed" size="sm">
        {texts.signedIn(signedInAt, network)}
      </Text>
      <Text c="dimmed" size="sm">
        {isCurrent ? texts.thisDevice : texts.lastUsed(lastUsedAt)}
      </Text>
    </Entry>
  )
}
