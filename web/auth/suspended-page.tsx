import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { Stack, Text } from '@mantine/core'
import { Logo } from '../components/layout/logo.tsx'
import { Page } from '../components/layout/page.tsx'
import { PublicShell } from '../components/layout/public-shell.tsx'
import { ButtonLink } from '../components/navigation/button-link.tsx'

const texts = suspensionTexts.page

/** Tells a suspended person why, and whom to write to. Every open page ends here (R-accounts-61). */
export const SuspendedPage = ({ why }: { why: string }) => (
  <PublicShell logo={<Logo />}>
    <Page title={texts.title} width="wizard">
      <Stack gap="md" align="flex-start">
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {why.replace(`${texts.title}. `, '')}
        </Text>
        <Text>{texts.listings}</Text>
        <Text>{texts.agreements}</Text>
        <ButtonLink href="/login" variant="default">
          {texts.logIn}
        </ButtonLink>
      </Stack>
    </Page>
  </PublicShell>
)
