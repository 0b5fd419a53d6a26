import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import {
  type AdministratorChange,
  changeAdministrator,
  type ListedAdministrator,
} from '@keyturn/contract/accounts/administrators.ts'
import { Button, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../../auth/remembered-person.ts'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { restoreFocus } from '../../../components/feedback/focus.ts'
import { announce } from '../../../components/feedback/notice.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { failureText } from '../../deals/package/failure-text.ts'
import { ListSection } from '../list-section.tsx'
import { administratorsQuery } from '../queries.ts'
import { InvitationDialog, InvitationLinkDialog } from './invitation-dialogs.tsx'
import { OperatorOnly } from './operator-only.tsx'

const texts = administratorTexts.list

type Invited = { name: string; link: string }
type Open = { who: ListedAdministrator; change: AdministratorChange }

/** The people who run the site, and their roles (R-accounts-53). */
export function AdministratorsCard() {
  const administrators = useQuery(administratorsQuery)
  const [isInviting, setInviting] = useState(false)
  const [open, setOpen] = useState<Open | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const inviteButton = useRef<HTMLButtonElement>(null)
  const closeLink = () => {
    setInvited(null)
    // It was opened from another dialog, which is gone.
    restoreFocus(inviteButton.current)
  }
  return (
    <ListSection
      title={texts.title}
      lead={texts.lead}
      action={
        <OperatorOnly>
          <Button ref={inviteButton} onClick={() => setInviting(true)}>
            {texts.add}
          </Button>
        </OperatorOnly>
      }
    >
      <QueryContent from={administrators} failed={texts.failed} skeletonRows={2}>
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed">{texts.none}</Text>
          ) : (
            <ListTable
              label={texts.title}
              rows={list}
              columns={[
                { header: texts.columns.name, kind: 'title', cell: nameOf },
                { header: texts.columns.role, cell: ({ role }) => administratorTexts.roles[role] },
                { header: texts.columns.state, cell: (one) => <State of={one} /> },
                {
                  header: texts.columns.actions,
                  kind: 'action',
                  cell: (who) => <Actions who={who} onOpen={(change) => setOpen({ who, change })} />,
                },
              ]}
            />
          )
        }
      </QueryContent>
      {isInviting && <InvitationDialog onInvited={setInvited} onClose={() => setInviting(false)} />}
      {open && <ChangeDialog {...open} onInvited={setInvited} onClose={() => setOpen(null)} />}
      {invited && <InvitationLinkDialog {...invited} onClose={closeLink} />}
    </ListSection>
  )
}

const nameOf = ({ name, username }: ListedAdministrator) => `${name} (${username})`

const State = ({ of: { state, hasCodes } }: { of: ListedAdministrator }) => (
  <Stack gap={4} align="flex-start">
    <StatusBadge status={statuses[state]} label={texts.states[state]} />
    <Text size="sm">{hasCodes ? texts.hasCodes : texts.noCodes}</Text>
  </Stack>
)
const statuses = {
  INVITED: 'PENDING',
  EXPIRED: 'REJECTED',
  ACTIVE: 'ACCEPTED',
  DISABLED: 'REJECTED',
} as const

function Actions({
  who,
  onOpen,
}: {
  who: ListedAdministrator
  onOpen: (change: AdministratorChange) => void
}) {
  const target = useRef<HTMLButtonElement>(null)
  const choose = (change: AdministratorChange) => {
    // The dialog returns the focus to where it was. That must not be a menu entry, which is removed.
    target.current?.focus({ preventScroll: true })
    onOpen(change)
  }
  if (who.isMe)
    return (
      <Text size="sm" c="dimmed">
        {texts.you}
      </Text>
    )
  return (
    <OperatorOnly>
      <Menu position="bottom-end" offset={6}>
        <Menu.Target>
          <Button ref={target} variant="default" aria-label={texts.of(texts.change, who.name)}>
            {texts.change}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {changesOf(who).map((change) => (
            <Menu.Item key={change} onClick={() => choose(change)}>
              {administratorTexts.changes[change].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </OperatorOnly>
  )
}

function changesOf({ role, state, hasCodes }: ListedAdministrator): AdministratorChange[] {
  if (state === 'DISABLED') return ['enable']
  return [
    role === 'OPERATOR' ? 'makeSupport' : 'makeOperator',
    'inviteAgain',
    ...(state === 'ACTIVE' ? (['endSessions'] as const) : []),
    ...(hasCodes ? (['removeCodes'] as const) : []),
    'disable',
  ]
}

function ChangeDialog({
  who,
  change,
  onInvited,
  onClose,
}: Open & { onInvited: (invited: Invited) => void; onClose: () => void }) {
  const { act } = useEndpointMutation(changeAdministrator, { refresh: [administratorKey] })
  const { label, question } = administratorTexts.changes[change]
  const confirm = async () => {
    const { invitation } = await act({ params: { administratorId: who._id }, body: { change } })
    announce(texts.changed(who.name))
    onClose()
    if (invitation) onInvited({ name: who.name, link: invitation })
  }
  return (
    <ConfirmDialog
      title={texts.of(label, who.name)}
      confirm={label}
      danger={change === 'disable'}
      failed={failureText}
      onConfirm={confirm}
      onClose={onClose}
    >
      {question(who.name)}
    </ConfirmDialog>
  )
}
