-- CreateTable
CREATE TABLE "compatibility" (
    "id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compatibility_pkey" PRIMARY KEY ("id")
);
