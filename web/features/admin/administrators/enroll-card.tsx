import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { finishEnrollment, type Me, startEnrollment } from '@keyturn/contract/accounts/administrators.ts'
import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QRCodeSVG } from 'qrcode.react'
import { useEffect, useRef } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { useCopy } from '../../../components/feedback/use-copy.ts'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { formOptions } from '../../../components/fields/form.ts'
import { TextField } from '../../../components/fields/text-field.tsx'
import { Card } from '../../../components/layout/card.tsx'
import classes from './enroll-card.module.css'

const texts = administratorTexts.enroll

type EnrollCardProps = { me: Me; onEnrolled: (recoveryCodes: string[]) => void }

/** Sets up the authenticator app of the signed-in administrator (R-accounts-55). */
export function EnrollCard({ me, onEnrolled }: EnrollCardProps) {
  const start = useEndpointMutation(startEnrollment)
  const finish = useEndpointMutation(finishEnrollment, {
    onDone: ({ recoveryCodes }) => onEnrolled(recoveryCodes),
  })
  return (
    <Card>
      <Stack maw="34rem">
        <Title order={2}>{texts.title}</Title>
        {start.done ? (
          <Confirmation {...start.done} finish={finish} />
        ) : (
          <>
            <Text>{me.mustEnroll ? texts.required : texts.offered}</Text>
            {start.error && <ErrorNotice>{start.error.message}</ErrorNotice>}
            <WorkButton onClick={() => start.attempt({})}>{texts.start}</WorkButton>
          </>
        )}
      </Stack>
    </Card>
  )
}

type ConfirmationProps = {
  secret: string
  uri: string
  finish: ReturnType<typeof useEndpointMutation<typeof finishEnrollment>>
}

function Confirmation({ secret, uri, finish }: ConfirmationProps) {
  const form = useForm(formOptions(finishEnrollment.body, { code: '' }))
  const { submit, trouble } = useFormMutation(form, (body) => finish.act({ body }))
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text>{texts.scan}</Text>
        <QRCodeSVG className={classes.qr} value={uri} title={texts.qr} size={192} marginSize={4} />
        <Text>
          {texts.key}: <Code className={classes.code}>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
        </Text>
        <TextField
          label={administratorTexts.fields.code}
          autoComplete="one-time-code"
          inputMode="numeric"
          {...form.getInputProps('code')}
        />
        {trouble && <ErrorNotice>{trouble.message}</ErrorNotice>}
        <WorkButton type="submit" busy={finish.isWorking}>
          {texts.confirm}
        </WorkButton>
      </Stack>
    </form>
  )
}

type RecoveryCodesCardProps = { codes: readonly string[]; onStored: () => void }

/** Shows the recovery codes, this once. Its parent keeps them until the administrator has stored them. */
export function RecoveryCodesCard({ codes, onStored }: RecoveryCodesCardProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const shown = codes.map((code) => code.match(/.{1,4}/g)?.join('-') ?? code)
  const { error, isCopied, copy } = useCopy(shown.join('\n'), texts.copied)
  return (
    <Card>
      <Stack maw="34rem">
        <Title order={2} ref={title} tabIndex={-1}>
          {texts.recoveryTitle}
        </Title>
        <Text>{texts.recoveryLead}</Text>
        <ul className={classes.codes} aria-label={texts.recoveryTitle}>
          {shown.map((code) => (
            <li key={code}>
              <Code className={classes.code}>{code}</Code>
            </li>
          ))}
        </ul>
        {error && <ErrorNotice>{texts.copyFailed}</ErrorNotice>}
        <Group gap="sm">
          <Button variant="default" onClick={copy}>
            {isCopied ? texts.copied : texts.copy}
          </Button>
          <Button onClick={onStored}>{texts.stored}</Button>
        </Group>
      </Stack>
    </Card>
  )
}
