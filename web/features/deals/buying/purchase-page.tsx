import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ComponentProps } from 'react'
import { Page } from '../../../components/layout/page.tsx'
import { BackToHomeLink } from '../../../components/navigation/link.tsx'

type PurchasePageProps = Pick<ComponentProps<typeof Page>, 'documentTitle' | 'lead' | 'width' | 'children'>

export const PurchasePage = (page: PurchasePageProps) => (
  <Page
    title={wizardTexts.title}
    quietTitle
    width="wizard"
    back={<BackToHomeLink side="buying">{wizardTexts.dashboard}</BackToHomeLink>}
    {...page}
  />
)
