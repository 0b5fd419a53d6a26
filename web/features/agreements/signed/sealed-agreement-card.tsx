import { sealedTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../components/navigation/button-link.tsx'
import { DownloadAgreement } from './download-agreement.tsx'
import { Seal } from './seal.tsx'
import classes from './sealed-agreement.module.css'

type SealedAgreementCardProps = {
  pkgId: string
  vin: string
  /** When each party signed, in any order. */
  signedAt: readonly [string | null, string | null]
  /** Between the head and the buttons. */
  children?: ReactNode
  action?: ReactNode
}

/** The signed agreement as a certificate that anybody can check (R-deals-100). */
export function SealedAgreementCard(props: SealedAgreementCardProps) {
  const { pkgId, vin, children, action } = props
  const [, signedAt = ''] = props.signedAt.map((time) => time ?? '').sort()
  return (
    <section className={classes.certificate}>
      <div className={classes.head}>
        <Seal className={classes.seal} />
        <div>
          <h2 className={classes.title}>{texts.title}</h2>
          <p className={classes.date}>
            {texts.signedByBoth} <time dateTime={signedAt}>{formatDateTime(signedAt)}</time>
          </p>
          <p className={classes.hint}>{texts.hint}</p>
        </div>
      </div>
      {children}
      <div className={classes.actions} data-print="hide">
        <ButtonLink href={`/verify?agreement=${pkgId}`} data-leaves>
          {texts.check}
        </ButtonLink>
        <DownloadAgreement pkgId={pkgId} vin={vin} />
        {action}
      </div>
    </section>
  )
}
