-- The date of tax_rate, which the owner and the wholesaler read beside the credit. Unknown for earlier offers.
alter table trades add column tax_rate_as_of date;
