import { editUser, sendVerification, type User } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { userKey } from '../../auth/remembered-person.ts'
import { useLogOut, userQuery } from '../../auth/session.tsx'
import { useRunOnce } from '../../auth/use-run-once.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Spinner } from '../../components/feedback/spinner.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { EmailField } from '../../components/fields/contact-fields.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/navigation/link.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { EmailForm } from './email-form.tsx'
import classes from './email-sent-screen.module.css'
import { pathAfterLogin } from './path-after-login.ts'
import { useCurrentPassword } from './use-current-password.tsx'

const texts = accountTexts.verify

/**
 * /email/{address}. Anybody can put any text into the URL, so the page names only the account's own
 * address as the one that the email went to (R-accounts-42).
 */
export function EmailSentScreen() {
  const user = useUnverifiedUser()
  return (
    <PublicPage title={texts.waitingTitle}>{user ? <Sent user={user} /> : <Ask user={user} />}</PublicPage>
  )
}

function Sent({ user }: { user: User }) {
  const address = user.pendingEmail ?? user.email
  return (
    <>
      <Card>
        <Stack>
          <div>
            <p>{texts.sentTo}</p>
            <Text fw={550} size="lg" className={classes.address}>
              {address}
            </Text>
          </div>
          <p>{texts.waitingHint}</p>
          <Resend key={address} address={address} />
        </Stack>
      </Card>
      <WrongAddress user={user} />
    </>
  )
}

/** For somebody who is not signed in. */
function Ask({ user }: { user: null | undefined }) {
  const { address } = useParams({ from: '/email/$address' })
  const { redirectURL } = useLocation().state
  if (user === undefined) return <Spinner />
  const given = sendVerification.body.safeParse({ email: address })
  return (
    <>
      <Card>
        <Stack>
          <p>{texts.ask}</p>
          <EmailForm
            call={sendVerification}
            initial={given.data?.email}
            texts={{ email: texts.email, submit: texts.send, sent: texts.sent, failed: texts.sendFailed }}
          />
        </Stack>
      </Card>
      <p>
        {accountTexts.register.haveAccount}{' '}
        <TextLink to="/login" state={{ redirectURL }}>
          {accountTexts.register.logIn}
        </TextLink>
      </p>
    </>
  )
}

/**
 * The link may be opened on another device, so this polls; it also checks when the page regains
 * focus.
 */
const pollIntervalMs = 4000

/** Returns null if nobody is known to be signed in, and undefined while that is unknown. */
function useUnverifiedUser(): User | null | undefined {
  const navigate = useNavigate()
  const once = useRunOnce()
  const { redirectURL } = useLocation().state
  const asked = useQuery({
    ...userQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && !state.data.verified ? pollIntervalMs : false),
  })
  const user = asked.data
  useEffect(() => {
    if (!user?.verified) return
    once(() => navigate({ href: pathAfterLogin(user, redirectURL), replace: true }))
  }, [user, redirectURL, navigate, once])
  return asked.isError ? (user ?? null) : user
}

function Resend({ address }: { address: string }) {
  const resend = useEndpointMutation(sendVerification)
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {texts.noMail}
      </Text>
      {resend.error && <Failure sentence={texts.sendFailed} fault={resend.error} />}
      {resend.done && (
        <Notice kind="good" title={texts.sent(address)}>
          {texts.onlyNewest}
        </Notice>
      )}
      <Group>
        <WorkButton
          working={texts.sending}
          onClick={() => resend.attempt({ body: { email: address.toLowerCase() } })}
        >
          {texts.resend}
        </WorkButton>
      </Group>
    </Stack>
  )
}

function WrongAddress({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const { isStuck, logOut } = useLogOut()
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {texts.wrongAddress}
        </Button>
        <WorkButton variant="default" onClick={logOut}>
          {texts.logOut}
        </WorkButton>
      </Group>
      {isStuck && <ErrorNotice onRetry={logOut}>{accountTexts.menu.logOutFailed}</ErrorNotice>}
      {isOpen && (
        <Card>
          <AddressForm user={user} onDone={() => setOpen(false)} />
        </Card>
      )}
    </>
  )
}

function AddressForm({ user, onDone }: { user: User; onDone: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { redirectURL } = useLocation().state
  const form = useForm(formOptions(editUser.body, { email: user.pendingEmail ?? user.email }))
  const edit = useEndpointMutation(editUser, {
    onDone: async (changed) => {
      client.setQueryData(userKey, changed)
      const address = changed.pendingEmail ?? changed.email
      await navigate({ to: '/email/$address', params: { address }, state: { redirectURL }, replace: true })
      onDone()
    },
  })
  const password = useCurrentPassword(editUser)
  const { submit, trouble } = useFormMutation(form, (body) =>
    password.sendWith((given) => edit.act({ body: { ...body, ...given } })),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <EmailField label={texts.newAddress} {...form.getInputProps('email')} />
        {password.field}
        {trouble && <Failure sentence={accountTexts.profile.failed} fault={trouble} />}
        <WorkButton type="submit" busy={edit.isWorking}>
          {texts.changeAddress}
        </WorkButton>
      </Stack>
    </form>
  )
}
