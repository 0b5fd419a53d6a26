import type { RegisterPageData as Given } from '@keyturn/contract/accounts/register-page.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { Side } from '@keyturn/contract/shared/pages.ts'
import { Anchor } from '@mantine/core'
import { isBrokenCarLink, parseCarSearch } from '../../../api/search-params.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { FormFrame } from '../../public-pages/form-frame.tsx'
import segments from '../../public-pages/segments.module.css'
import { RegisterForm } from './register-form.tsx'
import classes from './register-page.module.css'

const texts = accountTexts.register

export const titleOfSide = { selling: texts.sellerTitle, buying: texts.buyerTitle }

/**
 * /register/seller and /register/buyer in one document. The style sheet shows the chosen side, so
 * that typed values survive a switch. The VIN that a buyer enters begins the purchase of that car.
 */
export function RegisterPage({ page: { side, link } }: { page: Given }) {
  const isBroken = isBrokenCarLink(link)
  return (
    <FormFrame
      title={
        <>
          <span className={classes.selling}>{texts.sellerTitle}</span>
          <span className={classes.buying}>{texts.buyerTitle}</span>
        </>
      }
      lead={
        <>
          <span className={classes.selling}>{texts.sellerLead}</span>
          <span className={classes.buying}>{texts.buyerLead}</span>
        </>
      }
      back={texts.back}
    >
      <SideSwitch side={side} />
      {isBroken && <ErrorNotice title={texts.brokenLink}>{texts.brokenLinkHint}</ErrorNotice>}
      <Card>
        <RegisterForm
          submit={texts.submit}
          asked={{ vin: isBroken ? '' : (parseCarSearch(link).vin ?? ''), className: classes.buying }}
        />
      </Card>
      <p>
        {texts.haveAccount}{' '}
        <Anchor href="/login" data-carries>
          {texts.logIn}
        </Anchor>
      </p>
    </FormFrame>
  )
}

const SideSwitch = ({ side }: { side: Side }) => (
  <fieldset className={segments.segments}>
    <legend className={segments.legend}>{texts.switcher}</legend>
    {(['selling', 'buying'] as const).map((one) => (
      <label key={one} className={segments.segment}>
        <input type="radio" name="side" value={one} defaultChecked={one === side} autoComplete="off" />
        <span>{one === 'selling' ? texts.seller : texts.buyer}</span>
      </label>
    ))}
  </fieldset>
)
