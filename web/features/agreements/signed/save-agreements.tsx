import { readAgreementPdf } from '@keyturn/contract/agreements/endpoints.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchDocument } from '../../../api/send.ts'
import { DownloadButton } from '../../../components/feedback/download-button.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { ownAgreementsQuery } from '../../deals/queries.ts'
import classes from './paperwork-card.module.css'

/** Offers each of the person's signed agreements for download before the account goes (R-deals-111). */
export function SaveAgreements() {
  const { data, error } = useQuery(ownAgreementsQuery)
  if (error) return <Notice kind="info">{texts.saveFailed}</Notice>
  if (!data || data.length === 0) return null
  return (
    <section aria-label={texts.saveFirst}>
      <Text fw={700}>{texts.saveFirst}</Text>
      <Text mb="sm">{texts.saveWhy}</Text>
      <ul className={classes.papers}>
        {data.map(({ pkgId, vin, car, signedAt }) => (
          <li key={pkgId} className={classes.paper}>
            <div className={classes.words}>
              <strong>{car}</strong>
              <p className={classes.what}>{texts.signedOn(formatDate(signedAt))}</p>
            </div>
            <DownloadButton
              fetchFile={() => fetchDocument(readAgreementPdf, { params: { pkgId } })}
              name={texts.fileName(vin)}
              label={texts.downloadOf(car)}
              working={texts.downloading}
              failed={texts.downloadFailed}
            >
              {texts.download}
            </DownloadButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
