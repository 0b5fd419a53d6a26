import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { readPaperwork } from '@keyturn/contract/agreements/paperwork/endpoints.ts'
import { paperworkTexts as texts } from '@keyturn/contract/agreements/paperwork/paperwork-texts.ts'
import { paperKindsOf } from '@keyturn/contract/agreements/paperwork/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Text } from '@mantine/core'
import { fetchDocument } from '../../../api/send.ts'
import { DownloadButton } from '../../../components/feedback/download-button.tsx'
import { Card } from '../../../components/layout/card.tsx'
import classes from './paperwork-card.module.css'

/** Offers the forms for the appointment at the dealer, once both have signed (R-deals-65). */
export function PaperworkCard({ progress, side }: { progress: Progress; side: Party }) {
  const { pkgId, vin, dealerName } = progress
  if (!pkgId) return null
  return (
    <Card title={texts.title}>
      <Text mb="md">{texts.lead(dealerName)}</Text>
      <ul className={classes.papers}>
        {paperKindsOf[side].map((kind) => (
          <li key={kind} className={classes.paper}>
            <div className={classes.words}>
              <strong>{texts.kinds[kind].name}</strong>
              <p className={classes.what}>{texts.kinds[kind].what}</p>
            </div>
            <DownloadButton
              fetchFile={() => fetchDocument(readPaperwork, { params: { pkgId, kind } })}
              name={texts.fileName(kind, vin)}
              label={texts.downloadOf(texts.kinds[kind].name)}
              working={texts.preparing}
              failed={texts.failed}
            >
              {texts.download}
            </DownloadButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}
