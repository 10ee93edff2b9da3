# Reads result files of schedfarm in R, with hdf5r (Debian: r-cran-hdf5r).
#
#     source("schedfarm.R")
#     means <- schedfarm_estimates("first.h5", "response_time.mean")
#     boxplot(mean ~ policy, means)
#
# Numbers keep their values, texts are UTF-8, and fingerprints are the 16 hexadecimal digits that `schedfarm replay`
# prints: R has no unsigned integers of 64 bits, and readers cut those from 2^63 on.

#' The names of the tables of a result file.
schedfarm_tables <- function(path) {
    .schedfarm_with(path, function(file) setdiff(names(file), c("jobs", "processors", "notes")))
}

#' What was run and by what: the attributes of the file, as a named list.
schedfarm_attributes <- function(path) {
    .schedfarm_with(path, function(file) hdf5r::h5attributes(file))
}

#' A table by its name in SCHEMA.md, or a log of jobs ("jobs/0/0"), as a data frame; with `factors`, one column more per
#' factor of the campaign, for tables that have the column `cell` (`policy_level` beside a column `policy`).
schedfarm_table <- function(path, name, factors = FALSE) {
    rows <- .schedfarm_with(path, function(file) {
        if (!file$path_valid(name)) stop(path, ": there is no table '", name, "'. It has: ",
                                     paste(names(file), collapse = ", "), call. = FALSE)
        .schedfarm_rows(file[[name]])
    })
    if (!factors) return(rows)
    if (!"cell" %in% names(rows)) stop("'", name, "' has no column 'cell'", call. = FALSE)
    levels <- schedfarm_factors(path)
    own <- levels[match(rows$cell, levels$cell), -1, drop = FALSE]
    twice <- names(own) %in% names(rows)
    names(own)[twice] <- paste0(names(own)[twice], "_level")
    cbind(rows, own, row.names = NULL)
}

#' A row per cell, a column per factor: numbers where all levels are, else factors whose levels have the campaign's order.
schedfarm_factors <- function(path) {
    rows <- schedfarm_table(path, "factors")
    wide <- data.frame(cell = schedfarm_table(path, "cells")$cell)
    for (name in unique(rows$factor)) {
        own <- rows[rows$factor == name, ]
        here <- match(wide$cell, own$cell)
        wide[[name]] <- if (anyNA(own$number)) factor(own$label[here], unique(own$label)) else own$number[here]
    }
    wide
}

#' Means with their intervals and units beside the factors; `metric`: some of them, else all.
schedfarm_estimates <- function(path, metric = NULL) {
    rows <- schedfarm_table(path, "estimates", factors = TRUE)
    unknown <- setdiff(metric, rows$metric)
    if (length(unknown)) stop("no estimate of '", unknown[1], "'. There are: ", paste(unique(rows$metric), collapse = ", "),
                              call. = FALSE)
    if (is.null(metric)) rows else rows[rows$metric %in% metric, ]
}

#' Name, unit and meaning of every column of a table.
schedfarm_columns <- function(path, name) {
    .schedfarm_with(path, function(file) {
        about <- hdf5r::h5attributes(file[[name]])
        data.frame(name = about$columns, unit = about$units, meaning = about$meanings)
    })
}

.schedfarm_with <- function(path, read) {
    if (!requireNamespace("hdf5r", quietly = TRUE)) {
        stop("this needs the R package hdf5r. Install it (Debian: r-cran-hdf5r).", call. = FALSE)
    }
    if (!file.exists(path)) stop(path, ": there is no such file. Check the path.", call. = FALSE)
    file <- hdf5r::H5File$new(path, "r")
    on.exit(file$close_all())
    if (!identical(hdf5r::h5attributes(file)$filetype, "schedfarm results")) {
        stop(path, ": not a result file of schedfarm", call. = FALSE)
    }
    read(file)
}

# Integers are read as numbers: what hdf5r makes of them lacks -2^31.
.schedfarm_rows <- function(table) {
    if (table$dims == 0) return(.schedfarm_no_rows(table))
    stored <- table$get_type()
    types <- lapply(stored$get_cpd_types(), function(type) {
        if (inherits(type, "H5T_STRING")) type else hdf5r::h5types$H5T_NATIVE_DOUBLE
    })
    rows <- table$read_low_level(mem_type = hdf5r::H5T_COMPOUND$new(stored$get_cpd_labels(), dtypes = types))
    for (name in names(rows)) {
        if (name == "fingerprint") rows[[name]] <- .schedfarm_hexadecimal(table, name)
        else if (is.character(rows[[name]])) Encoding(rows[[name]]) <- "UTF-8"
    }
    rows
}

# The bytes of a column of 64 bits as HDF5 hands them over, before hdf5r makes signed numbers of them.
.schedfarm_hexadecimal <- function(table, name) {
    type <- hdf5r::H5T_COMPOUND$new(name, dtypes = list(hdf5r::h5types$H5T_NATIVE_UINT64))
    all <- hdf5r::h5const$H5S_ALL
    empty <- .Call("R_H5ToR_Pre", type$id, table$dims, PACKAGE = "hdf5r")
    bytes <- .Call("R_H5Dread", table$id, type$id, all$id, all$id, hdf5r::h5const$H5P_DEFAULT$id, empty, FALSE,
                   PACKAGE = "hdf5r")$buf
    digits <- matrix(as.character(bytes), nrow = 8)
    if (.Platform$endian == "little") digits <- digits[8:1, , drop = FALSE]
    apply(digits, 2, paste, collapse = "")
}

.schedfarm_no_rows <- function(table) {
    columns <- table$get_type()$get_cpd_labels()
    as.data.frame(stats::setNames(rep(list(logical()), length(columns)), columns), check.names = FALSE)
}
