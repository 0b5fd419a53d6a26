import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { BuyPageData, RequestableCar as Given } from '@keyturn/contract/cars/car-pages.ts'
import { carName, isSalePending } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { Tabs } from '@mantine/core'
import { DealHeader } from '../../components/display/deal-header.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { Card } from '../../components/layout/card.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import { ButtonLink } from '../../components/navigation/button-link.tsx'
import { texts as shared } from '../../components/texts.ts'
import { LoginForm } from '../accounts/forms/login-form.tsx'
import { RegisterForm } from '../accounts/forms/register-form.tsx'
import { FormFrame } from '../public-pages/form-frame.tsx'
import classes from './buy-this-car-page.module.css'
import { loanNote } from './car-card.tsx'

const texts = carTexts.buyThisCar
const { fields, public: ofLink } = carTexts

/** /buy-this-car: leads from a shared link to an account, and then to the purchase. */
export function BuyThisCarPage({ page }: { page: BuyPageData }) {
  if (page.face === 'unsure') return <InvalidLink why={page.why} isKnown={false} />
  if (page.face === 'unavailable') return <InvalidLink why={null} isKnown={page.isKnown} isHidden />
  if (page.face === 'invalid') return <InvalidLink why={null} isKnown={page.isKnown} />
  return (
    <FormFrame title={texts.interested} back={texts.back} backTo={`/?${new URLSearchParams(page.link)}`}>
      <InterestingCar car={page.car} />
      <Continue />
      <Card>
        <Tabs id={waysId} defaultValue="create">
          <Tabs.List grow mb="lg">
            <Tabs.Tab value="create">{texts.createAccount}</Tabs.Tab>
            <Tabs.Tab value="sign-in">{texts.signIn}</Tabs.Tab>
          </Tabs.List>
        </Tabs>
        <div role="tabpanel" {...panelOf('create')}>
          <RegisterForm submit={texts.submitCreate} />
        </div>
        <div role="tabpanel" {...panelOf('sign-in')} hidden>
          <template>
            <LoginForm submit={texts.submitSignIn} />
          </template>
        </div>
      </Card>
    </FormFrame>
  )
}

const waysId = 'ways'
/**
 * Marks an element as a panel, because Mantine's own panels are empty in the HTML until they are
 * shown.
 */
const panelOf = (way: string) => ({ id: `${waysId}-panel-${way}`, 'aria-labelledby': `${waysId}-tab-${way}` })

function InterestingCar({ car }: { car: Given }) {
  return (
    <>
      {isSalePending(car) && (
        <Notice kind="waiting" title={ofLink.salePending}>
          {ofLink.pendingHint}
        </Notice>
      )}
      <DealHeader
        title={carName(car)}
        price={car.price}
        unsetPrice={carTexts.toBeAgreed}
        vin={car.vin}
        car={car}
        remark={loanNote(car)}
      />
      <Card tight>
        <FactTable
          facts={[
            { term: fields.trim, value: car.trim },
            { term: fields.color, value: car.color },
            { term: fields.mileage, value: formatMiles(car.mileage) },
          ]}
        />
      </Card>
    </>
  )
}

/** Shown to signed-in people. Wholesalers learn that their account cannot buy (R-accounts-25). */
const Continue = () => (
  <>
    <div data-for-wholesaler hidden>
      <Notice kind="info" title={accountTexts.tradersOnly.sentence}>
        {texts.notAsWholesaler}
      </Notice>
    </div>
    <div data-for-visitor hidden>
      <WorkButton data-go>
        <span data-words />
      </WorkButton>
    </div>
  </>
)

/** Explains why the link is invalid, and offers other links (R-cars-15, R-everywhere-33). */
type InvalidLinkProps = { why: string | null; isKnown: boolean; isHidden?: boolean }

const InvalidLink = ({ why, isKnown, isHidden = false }: InvalidLinkProps) => (
  <FormFrame title={isHidden ? ofLink.unavailable : ofLink.invalid} back={texts.back}>
    <p>{isHidden ? ofLink.unavailableHint : why ? `${ofLink.mayBeGood} ${why}` : ofLink.invalidHint}</p>
    <div className={classes.ways}>
      {why && <ButtonLink href="">{shared.tryAgain}</ButtonLink>}
      {isKnown ? (
        <ButtonLink href="/home">{ofLink.toDashboard}</ButtonLink>
      ) : (
        <>
          <ButtonLink href="/login" variant="default">
            {ofLink.logIn}
          </ButtonLink>
          <ButtonLink href="/register/seller" variant={why ? 'default' : undefined}>
            {ofLink.getStarted}
          </ButtonLink>
        </>
      )}
    </div>
  </FormFrame>
)
