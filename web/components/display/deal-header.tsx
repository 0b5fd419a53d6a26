import type { Cents } from '@keyturn/contract/shared/money.ts'
import type { ReactNode } from 'react'
import { CarPicture, type PicturedCar } from './car-picture.tsx'
import classes from './deal-header.module.css'
import { Money } from './money.tsx'
import { Vin } from './vin.tsx'

type DealHeaderProps = {
  title: string
  price?: Cents | null
  unsetPrice?: string
  /** The price's name, and another price, which a bar on a phone leaves out. */
  priceNote?: readonly string[]
  vin?: string
  car: PicturedCar
  status?: ReactNode
  /** Reaches the other party. */
  action?: ReactNode
  /** A warning for both sides that money is owed on the car. */
  remark?: string
}

/** The car of a deal. On a phone, it is one bar. */
export function DealHeader(props: DealHeaderProps) {
  const { title, price, unsetPrice, priceNote = [], vin, car, status, action, remark } = props
  return (
    <div className={classes.deal} data-print="hide">
      <div className={classes.band}>
        <div className={classes.picture}>
          <CarPicture car={car} sizes="128px" />
        </div>
        <div className={classes.words}>
          <p className={classes.title}>{title}</p>
          <div className={classes.below}>
            {vin && <Vin value={vin} />}
            {status}
          </div>
          {remark && <p className={classes.remark}>{remark}</p>}
        </div>
        {price !== undefined && (
          <div className={classes.price}>
            <Money cents={price} unset={unsetPrice} size="xl" />
            {priceNote.length > 0 && (
              <p className={classes.note}>
                {priceNote[0]}
                {priceNote[1] && <span>, {priceNote[1]}</span>}
              </p>
            )}
          </div>
        )}
        {action && <div className={classes.action}>{action}</div>}
      </div>
    </div>
  )
}
