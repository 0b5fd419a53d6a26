import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import {
  packageTexts,
  termSheetTexts,
  sealedTexts as texts,
} from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { ButtonLink } from '../../components/navigation/button-link.tsx'
import { Signature } from './agreement-sheet.tsx'
import { DownloadAgreement } from './download-agreement.tsx'
import { Seal } from './seal.tsx'
import classes from './sealed-agreement.module.css'

type SealedAgreementProps = { pkgId: string; vin: string; agreement: DealPackage['agreement'] }

/** The signed agreement as a certificate: who signed when, and how anybody can check it. */
export function SealedAgreement({ pkgId, vin, agreement }: SealedAgreementProps) {
  const { terms, seller, buyer, hash, textVersion } = agreement
  const [, signedAt = ''] = [seller.signedAt, buyer.signedAt].sort()
  return (
    <div className={classes.certificate}>
      <div className={classes.head}>
        <Seal className={classes.seal} />
        <div>
          <h3 className={classes.title}>{texts.title}</h3>
          <p className={classes.date}>
            {texts.signedByBoth} <time dateTime={signedAt}>{formatDateTime(signedAt)}</time>
          </p>
          <p className={classes.hint}>{texts.hint}</p>
        </div>
      </div>
      <div className={classes.signatures}>
        <Signature role={termSheetTexts.seller} party={terms.sellerName} {...seller} />
        <Signature role={termSheetTexts.buyer} party={terms.buyerName} {...buyer} />
      </div>
      <dl className={classes.proof}>
        <div>
          <dt>{texts.number}</dt>
          <dd translate="no">{pkgId}</dd>
        </div>
        <div>
          <dt>{packageTexts.textVersion}</dt>
          <dd>{textVersion}</dd>
        </div>
        <div className={classes.digest}>
          <dt>{packageTexts.sheetHash}</dt>
          <dd translate="no">{hash}</dd>
        </div>
      </dl>
      <div className={classes.actions} data-print="hide">
        <ButtonLink href={`/verify?agreement=${pkgId}`} data-leaves>
          {texts.check}
        </ButtonLink>
        <DownloadAgreement pkgId={pkgId} vin={vin} />
      </div>
    </div>
  )
}
