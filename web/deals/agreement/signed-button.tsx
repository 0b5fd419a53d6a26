import { termSheetTexts } from '@keyturn/contract/deals/agreement-texts.ts'
import { Button } from '@mantine/core'
import { IconCheck } from '../../ui/icons.tsx'

/** What Sign Agreement and I Agree have become for whoever has signed. */
export const SignedButton = () => (
  <Button disabled leftSection={<IconCheck size={18} />}>
    {termSheetTexts.signed}
  </Button>
)
