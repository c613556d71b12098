-- CreateEnum
CREATE TYPE "account_link_purpose" AS ENUM ('password_reset', 'email_change');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "time_zone" TEXT;

-- CreateTable
CREATE TABLE "account_links" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "purpose" "account_link_purpose" NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "account_links_user_id_purpose_idx" ON "account_links"("user_id", "purpose");

-- CreateIndex
CREATE INDEX "account_links_expires_at_idx" ON "account_links"("expires_at");

-- AddForeignKey
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
