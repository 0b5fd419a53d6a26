import { preferencesTexts as texts } from '@keyturn/contract/notifications/preferences-texts.ts'
import { Stack } from '@mantine/core'
import { Card } from '../../components/layout/card.tsx'
import { KindPreferences } from './kind-preferences.tsx'

/**
 * Email preferences, including the emails that cannot be switched off, and why
 * (R-notifications-22).
 */
export function EmailPreferencesCard() {
  return (
    <Card title={texts.title}>
      <Stack gap="md">
        <p>{texts.lead}</p>
        <KindPreferences channel="mail" />
        <p>{texts.alwaysWhy}</p>
      </Stack>
    </Card>
  )
}
